#pragma once

namespace lapscope::cli {

// Exit statuses of every sub-command but `record`, which exits with its program's own.
enum ExitStatus : int {
  good = 0,
  gate_failed = 1,  // and what doctor found stands in the way of recording
  usage = 2,
  inconclusive = 3,
  unreadable = 4,  // a file that cannot be read or written
};

}  // namespace lapscope::cli
