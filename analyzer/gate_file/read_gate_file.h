#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/gate/gate.h"

namespace lapscope::analyzer {

// Gates as a team keeps them beside its sources, in TOML; docs/ci.md lists the keys.
struct GateFile {
  std::vector<Gate> gates;                 // in the order of the file; at least one
  std::vector<std::string> communication;  // patterns of kernels; empty: as usual
  RangeThreads range_threads = RangeThreads::helpers;
};

// what() is "lapscope.toml:7:3: " and a sentence.
class GateFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `name` is how the file is called in messages and places. Throws GateFileError.
GateFile read_gate_file(std::string_view text, const std::string& name);

}  // namespace lapscope::analyzer
