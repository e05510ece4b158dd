#pragma once

#include <CLI/CLI.hpp>

namespace lapscope::cli {

// Each adds a sub-command to `app`. Its callback throws CLI::RuntimeError with an ExitStatus (or,
// for record, the program's status) after having said why on standard error.
void add_record(CLI::App& app);
void add_analyze(CLI::App& app);

}  // namespace lapscope::cli
