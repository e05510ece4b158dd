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
  // Ranks that are made to come on time. If one of these ranks began a collective later than all
  // other ranks, the replay makes it begin no later than the last of the other ranks. For this,
  // only its own time gets shorter.
  //
  // A rank that exchanges data with single other ranks is in a stage of a pipeline. If it has more
  // own time than each rank of the other stages, its whole stage gets faster. All own times of the
  // stage are multiplied by one factor, so that this rank becomes as fast as the slowest rank of
  // the other stages. Ranks on time that have collectives among themselves are treated like a
  // stage, because they are late for those collectives, too.
  std::vector<std::uint32_t> on_time = {};
  // Ranks whose kernels are ready only at their recorded starts (ready_at_start()). The ranks
  // `on_time` are treated in the same way. So the effect of `on_time` is the difference between two
  // replays: one with ranks in `on_time`, and one with the same ranks in `at_start`.
  std::vector<std::uint32_t> at_start = {};
  // Whether ranks wait only for the other ranks of a collective, not for the transfer.
  bool hides_transfers = false;
  // By collective: the new length of its transfer in ns, if it is merged into the collective before
  // it. The own time between both collectives is left out, and the host needs no time to issue the
  // merged collective. Empty if no collective is merged.
  std::vector<std::optional<Ns>> merged = {};
};

// Replays all ranks together, with changes. Returns the time in ns from the begin of the program's
// window until the last rank has done its work. Own times and transfers are as recorded, except for
// changes by `edits`. A rank begins no kernel before its host can have issued it
// (RunProgram::OfRank::host_begin). This limit does not hold for ranks in `edits.on_time`. A
// transfer begins when all ranks that a kernel needs have begun, and ends with the kernel. Without
// changes, the result is the length of the window. It is less if all ranks waited at the end of the
// recorded window.
Ns replay_run(const RunProgram& program, const RunEdits& edits);

}  // namespace lapscope::analyzer
