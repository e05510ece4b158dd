#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/ranks/run_program.h"

namespace lapscope::analyzer {

// Changes of a run's program.
struct RunEdits {
  // Whether the own times of each rank (RunProgram) get shorter by the share that recording added
  // (RankWork::recorder_share).
  bool without_recorder = false;
  // The late ranks, which are made to come on time. Two kinds of own time get shorter:
  // - The own time before a collective that a late rank began after all ranks that are not late.
  //   The late rank then begins this collective no later than the last of those. Pairs
  //   (MatchedCollective::is_pair) do not count.
  // - All own time in the stage of the late ranks, if a late rank has more own time than each rank
  //   of the other stages. All own times in the stage are multiplied by one factor. The greatest
  //   own time of a late rank is then equal to the greatest own time of a rank in another stage.
  //
  // In a pipeline, the stage of the late ranks also has all ranks that have a collective with a
  // late rank. Collectives of all ranks of the run do not count. Without a pipeline, the late ranks
  // are a stage only if they have a collective that only late ranks join.
  std::vector<std::uint32_t> on_time = {};
  // Ranks whose kernels are ready only at their recorded starts (ready_at_start()). Ignored if
  // `on_time` is not empty: the ranks in `on_time` are then replayed in this way. So to predict the
  // effect of `on_time`, compare with a replay that has the same ranks in `at_start` instead.
  std::vector<std::uint32_t> at_start = {};
  // Whether transfers take no time: ranks wait only until the other ranks have begun a collective.
  bool hides_transfers = false;
  // By collective: the new length of its transfer in ns, if the collective is merged into the
  // collective before it; else nullopt. Ranks have no own time between the two, and the host needs
  // no time to issue the merged collective. The list is empty if no collective is merged.
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
