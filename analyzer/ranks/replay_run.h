#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/ranks/run_program.h"

namespace lapscope::analyzer {

// Changes of a run's program.
struct RunEdits {
  // Whether the own times of each rank (RunProgram) get shorter by the share that recording added
  // (RankWork::recorder_share), and its host times (RunProgram::OfRank::host_begin) by that of the
  // host (RankWork::host_recorder_share).
  bool without_recorder = false;
  // The late ranks. Their own times get shorter in two ways:
  // - If a late rank began a collective after all ranks that are not late, its own time before the
  //   collective is cut. The late rank then begins no later than the last rank that is not late.
  //   Own time before pairs (MatchedCollective::is_pair) is not cut.
  // - If the late ranks are in a stage, all own times of this stage are multiplied by one factor.
  //   The greatest own time of a late rank is then as long as the greatest own time of a rank in
  //   another stage. The factor is never above 1.
  //
  // The stage of the late ranks:
  // - In a pipeline, the late ranks, and each rank that has a collective with a late rank.
  //   Collectives of all ranks of the run are ignored.
  // - Without a pipeline, the late ranks, if they have a collective without other ranks. Otherwise,
  //   there is no stage.
  std::vector<std::uint32_t> on_time = {};
  // Ranks whose kernels are ready only at their recorded starts (ready_at_start()). The kernels of
  // ranks in `on_time` are, too. So the effect of `on_time` is the difference between two replays:
  // one with the ranks in `at_start`, and one with the ranks in `on_time`. If `on_time` is not
  // empty, `at_start` is ignored.
  std::vector<std::uint32_t> at_start = {};
  // Whether the other ranks compute faster, because they no longer wait for the late ranks.
  // LostBeside::most is removed from the time for which they compute beside communication kernels
  // that wait for a late rank.
  bool frees_multiprocessors = false;
  // By collective: the share of its transfer for which ranks still wait after all of them have
  // begun. The list is empty if they wait for all of it, as recorded.
  std::vector<Share> exposed = {};
  // By collective: the new length of its transfer in ns, if the collective is merged into the
  // collective before it; else nullopt. Ranks have no own time between the two, and the host needs
  // no time to issue the merged collective. The list is empty if no collective is merged.
  std::vector<std::optional<Ns>> merged = {};
};

// Replays all ranks together, with changes. Returns the time in ns from the start of the program's
// window until the last rank has done its work. Own times and transfers are as recorded, except for
// changes by `edits`. A rank begins no kernel before its host can have issued it
// (RunProgram::OfRank::host_begin). This limit does not hold for ranks in `edits.on_time`. A
// transfer begins when all ranks that a kernel needs have begun, and ends with the kernel. Without
// changes, the result is the length of the window, or less if all ranks waited at the end of the
// recorded window.
Ns replay_run(const RunProgram& program, const RunEdits& edits);

}  // namespace lapscope::analyzer
