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

// Returns the checked options, or nothing after printing the help. Throws UsageError, which names
// the option. `select_calls` checks the names of calls later.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace lapscope::workloads::implicit_sync
