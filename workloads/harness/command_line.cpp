#include "workloads/harness/command_line.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "workloads/harness/guard.h"

namespace lapscope::workloads {

bool parse_command_line(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + " (--help lists the options)");
  }
}

}  // namespace lapscope::workloads
