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
  // The rank that begins no collective later than the rank that began second last. Only its own
  // time gets shorter. If the rank sends to single other ranks, it is in a stage of a pipeline. If
  // the stage is slower than all other stages, the own times of all its ranks are scaled by one
  // factor. The factor makes this rank's own time as short as that of the slowest rank of another
  // stage.
  std::optional<std::uint32_t> on_time;
  // Whether a rank that has begun a collective waits only for the other ranks, not for the
  // transfer.
  bool hides_transfers = false;
  // By collective: the new length of the transfer in ns, if the collective is merged into the one
  // before. The ranks begin a merged collective without own time. Empty if none is merged.
  std::vector<std::optional<Ns>> merged;
};

// Returns how long the run takes with these changes, in ns: from the begin of the program's window
// until the last rank has done its work. All ranks are replayed together. Unless `edits` changes
// them, two times stay as recorded: own times, and the time from the last begin that a kernel needs
// to the kernel's end. Without changes, the result is the length of the window, unless all ranks
// are recorded to wait at its end.
Ns replay_run(const RunProgram& program, const RunEdits& edits);

}  // namespace lapscope::analyzer
