#pragma once

#include "cli/command_line.h"

namespace lapscope::cli {

// Runs a command and returns its exit status. `words` is the command line without the name of the
// program. Throws nothing. Keeps no state between calls.
int run(Words words);

}  // namespace lapscope::cli
