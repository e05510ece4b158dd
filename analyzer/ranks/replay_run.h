#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/ranks/run_program.h"

namespace lapscope::analyzer {

// Changes of a run's program.
struct RunEdits {
  // Whether own times lose the share that recording added (RankWork::recorder_share).
  bool without_recorder = false;
  // A rank that is made to come on time. If it began a collective last in the recording, it now
  // begins no later than the last of the other ranks. Only the rank's own time gets shorter.
  //
  // If the rank exchanges data with single other ranks, it is in a stage of a pipeline. If the rank
  // has more own time than the ranks of all other stages, the own times of all ranks of its stage
  // are scaled by one factor. The factor makes this rank's own time as short as that of the slowest
  // rank of another stage.
  std::optional<std::uint32_t> on_time;
  // A rank whose kernels are ready only at their recorded starts (ready_at_start()). This also
  // holds for `on_time`. Compare a run with `on_time` with a run that has the same rank here.
  std::optional<std::uint32_t> at_start;
  // Whether a rank that has begun a collective waits only for the other ranks, not for the
  // transfer.
  bool hides_transfers = false;
  // By collective: the new length of the transfer in ns, if the collective is merged into the one
  // before. The own time between the two is left out, and the hosts issue it in no time. Empty if
  // none is merged.
  std::vector<std::optional<Ns>> merged;
};

// Returns how long the run takes with these changes, in ns: from the begin of the program's window
// until the last rank has done its work. All ranks are replayed together. Unless `edits` changes
// them, own times and transfers stay as recorded. A rank begins no kernel before its host can have
// issued it (RunProgram::OfRank::host_begin). This does not hold for a rank that is made to come on
// time. A transfer lasts from the instant at which all ranks that a kernel needs have begun until
// the kernel ends. Without changes, the result is the length of the window. It is less if all ranks
// waited at the end of the window in the recording.
Ns replay_run(const RunProgram& program, const RunEdits& edits);

}  // namespace lapscope::analyzer
