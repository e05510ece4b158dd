#pragma once

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>

namespace lapscope::cli {

// Each function writes a file that covers all sub-commands and options of `app` (add_commands()).
void write_bash_completion(const CLI::App& app, std::ostream& out);
void write_zsh_completion(const CLI::App& app, std::ostream& out);
void write_fish_completion(const CLI::App& app, std::ostream& out);
void write_manual(const CLI::App& app, const std::string& version, std::ostream& out);

}  // namespace lapscope::cli
