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
  // The late ranks. The edit shortens their own times in two ways:
  // - A late rank may have begun a collective after all ranks that are not late. Its own time
  //   before the collective is then cut. In the replay, the late rank begins no later than the last
  //   rank that is not late. The cut does not apply to pairs (MatchedCollective::is_pair).
  // - If the late ranks are in a stage, all own times of this stage are multiplied by one factor of
  //   at most 1. The greatest own time of a late rank is then as long as the greatest own time of a
  //   rank in another stage.
  //
  // In a pipeline, the stage has the late ranks, and each rank that has a collective with a late
  // rank. Collectives of all ranks of the run do not count. Without a pipeline, the stage has only
  // the late ranks, and it exists only if there is a collective of late ranks alone.
  std::vector<std::uint32_t> on_time = {};
  // Ranks whose kernels are ready only at their recorded starts (ready_at_start()). Ignored if
  // `on_time` is not empty. ready_at_start() also applies to the ranks in `on_time`. To find what
  // `on_time` saves, compare its replay with a replay that has the same ranks in `at_start`.
  std::vector<std::uint32_t> at_start = {};
  // Whether the ranks that are not late compute faster. In the recording, their communication
  // kernels occupied multiprocessors while these kernels waited for a late rank. Computing during
  // such a wait gets shorter by the share LostBeside::most.
  bool frees_multiprocessors = false;
  // By collective: the share of the recorded transfer for which ranks wait in the replay. If the
  // list is empty, ranks wait for whole transfers, as recorded.
  std::vector<Share> exposed = {};
  // By collective: the new length of its transfer in ns, if the collective is merged into the
  // collective before it; else nullopt. Ranks have no own time between the two, and the host needs
  // no time to issue the merged collective. The list is empty if no collective is merged.
  std::vector<std::optional<Ns>> merged = {};
};

// Replays all ranks together, with changes. Returns the time in ns from the start of the program's
// window until the last rank has done its work. Own times and transfers are as recorded, except for
// changes by `edits`. A rank begins no kernel before its host can have issued the kernel
// (RunProgram::OfRank::host_begin). This limit does not hold for ranks in `edits.on_time`. A
// communication kernel needs kernels of other ranks. The transfer begins when all of these have
// begun, and ends with the communication kernel. Without changes, the result is the length of the
// window, or less if all ranks waited at the end of the recorded window.
Ns replay_run(const RunProgram& program, const RunEdits& edits);

}  // namespace lapscope::analyzer
