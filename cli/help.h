#pragma once

#include <CLI/CLI.hpp>
#include <memory>

namespace lapscope::cli {

// Returns the formatter of --help. It prints options under their headings. For each option, it
// shows a name for the value, the permitted values in words, and the default. Lines fit the
// terminal.
std::shared_ptr<CLI::FormatterBase> help_formatter();

// Sets the headings of options that several sub-commands of `app` share. Keeps a heading that a
// sub-command has set itself.
void group_options(CLI::App& app);

}  // namespace lapscope::cli
