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
  // Ranks that are made to come on time. If such a rank began a collective later than all ranks
  // outside `on_time`, its own time before the collective gets shorter. The rank then begins the
  // collective no later than the last of the ranks outside `on_time`.
  //
  // A rank that exchanges data with single other ranks is in a stage of a pipeline. If a rank on
  // time has more own time than each rank of the other stages, its whole stage gets faster. All own
  // times of the stage are multiplied by one factor. Then the rank has as much own time as the
  // slowest rank of the other stages. Without a pipeline, the ranks on time count as a stage if
  // they have a collective that no other rank joins.
  std::vector<std::uint32_t> on_time = {};
  // Ranks whose kernels are ready only at their recorded starts (ready_at_start()). This also holds
  // for the ranks in `on_time`. To predict the effect of `on_time`, compare the replay with a
  // replay that has the same ranks in `at_start` instead.
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
