#pragma once

#include <CLI/CLI.hpp>
#include <memory>

namespace lapscope::cli {

// How --help looks: options under their headings, each with a name for its value, and in words what
// may be given and what counts otherwise, on lines that fit the terminal.
std::shared_ptr<CLI::FormatterBase> help_formatter();

// Puts the options that several sub-commands of `app` share under headings of their own.
void group_options(CLI::App& app);

}  // namespace lapscope::cli
