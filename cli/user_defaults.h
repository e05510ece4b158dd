#pragma once

#include <filesystem>

#include "cli/command_line.h"

namespace lapscope::cli {

// The user's configuration file: $XDG_CONFIG_HOME/lapscope/config.toml, else that of ~/.config.
// Empty where neither variable names a folder.
//
//   color = "never"        # for every sub-command
//   [analyze]
//   min-saving = 5         # an option of one, without its dashes
std::filesystem::path user_configuration();

// Adds the options that the user's configuration file has for the sub-command of `words`, except
// for those that `words` have themselves. Returns the file that they come from, empty if none was
// read. It is not read for `gate`, whose verdict must not depend on whose machine it runs on, with
// --no-config, and for help. Throws CLI::ConfigError with a sentence that names file, line and key.
std::string add_user_defaults(const CLI::App& app, Words& words);

}  // namespace lapscope::cli
