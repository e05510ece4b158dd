#pragma once

#include <optional>
#include <string>

#include "workloads/streams/suite/case.h"

namespace lapscope::workloads::streams {

struct Options {
  const Case* chosen = nullptr;
  const Variant* variant = nullptr;
  Shape shape;
  int repeats = 1;
};

// The checked options, or nothing if the user asked for help or for the list, now printed. Throws
// UsageError, which names the option, its limits or the valid names.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace lapscope::workloads::streams
