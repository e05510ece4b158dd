#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lapscope::workloads::implicit_sync {

enum class Format { text, json };

struct Options {
  std::vector<std::string> calls;  // Names of calls or of functions; empty: all.
  bool list = false;
  Format format = Format::text;
  int repeats = 5;
};

// The checked options, or nothing if the user asked for help, now printed. Throws UsageError,
// naming the option. The names of calls are not checked here: `select_calls` does.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace lapscope::workloads::implicit_sync
