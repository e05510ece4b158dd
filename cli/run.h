#pragma once

#include "cli/command_line.h"

namespace lapscope::cli {

// The command, of its words without its own name: its exit status. Nothing is thrown, and nothing
// of one call is kept for the next.
int run(Words words);

}  // namespace lapscope::cli
