#pragma once

namespace CLI {
class App;
}

namespace lapscope::workloads {

// Parses the command line into the options of `app`.
//
// Returns false if the answer was help, now printed. Throws UsageError, naming the option, if the
// command line is wrong.
bool parse_command_line(CLI::App& app, int argc, char** argv);

}  // namespace lapscope::workloads
