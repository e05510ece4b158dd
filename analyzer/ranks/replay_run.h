#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/ranks/run_program.h"

namespace lapscope::analyzer {

// Changes of a run's program.
struct RunEdits {
  // Whether the own times of ranks (RunProgram) get shorter by the share that recording added
  // (RankWork::recorder_share).
  bool without_recorder = false;
  // Ranks that are made to come on time. Such a rank may have begun a collective later than all
  // ranks outside `on_time`. Its own time before the collective is then shortened, so that the rank
  // begins the collective no later than the last rank outside `on_time`. Pairs
  // (MatchedCollective::is_pair) do not count.
  //
  // In a pipeline, ranks that exchange data with single other ranks form stages. The greatest own
  // time of a rank in `on_time` may be above the greatest own time of a rank in the other stages.
  // All own times in the stage of `on_time` are then multiplied by one factor, so that these two
  // own times become equal. Without a pipeline, the ranks in `on_time` count as a stage if they
  // have a collective that no other rank joins.
  std::vector<std::uint32_t> on_time = {};
  // Ranks whose kernels are ready only at their recorded starts (ready_at_start()). Ignored if
  // `on_time` is not empty: the kernels of the ranks in `on_time` are then ready at their recorded
  // starts. To predict the effect of a list of ranks in `on_time`, compare two replays: one with
  // this list in `on_time`, the other with this list in `at_start`.
  std::vector<std::uint32_t> at_start = {};
  // Whether ranks wait only for the other ranks of a collective, not for the transfer.
  bool hides_transfers = false;
  // By collective: the new length of the transfer in ns; nullopt if the collective is not merged. A
  // collective is merged into the collective before it. The own time between the two is left out,
  // and the host needs no time to issue the merged collective. Empty if no collective is merged.
  std::vector<std::optional<Ns>> merged = {};
};

// Replays all ranks together, with changes. Returns the time in ns from the begin of the program's
// window until the last rank has done its work. Own times and transfers are as recorded, except for
// changes by `edits`. A rank begins no kernel before its host can have issued it
// (RunProgram::OfRank::host_begin). This limit does not hold for ranks in `edits.on_time`. A
// transfer begins when all ranks that a kernel needs have begun, and ends with the kernel. Without
// changes, the result is the length of the window, or less if all ranks waited at the end of the
// recorded window.
Ns replay_run(const RunProgram& program, const RunEdits& edits);

}  // namespace lapscope::analyzer
