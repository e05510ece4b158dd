#pragma once

#include <filesystem>

#include "cli/command_line.h"

namespace lapscope::cli {

// Reads the options for the sub-command in `words` from the configuration file, and adds them to
// `words`. Does not add options that are already in `words`. Returns the path of the file, or an
// empty string if it was not read.
//
// The file is not read with --no-config or --help. `gate` never reads it, because the verdict must
// not depend on the user. Throws CLI::ConfigError with a sentence that names file, line and key.
std::string add_user_defaults(const CLI::App& app, Words& words);

}  // namespace lapscope::cli
