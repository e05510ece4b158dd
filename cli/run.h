#pragma once

#include "cli/command_line.h"

namespace lapscope::cli {

// Runs the command given by its words, without its own name, and returns its exit status. Nothing
// is thrown, and nothing of one call is kept for the next.
int run(Words words);

}  // namespace lapscope::cli
