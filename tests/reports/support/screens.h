#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/report.h"

namespace lapscope::test {

// The screen of a recorded trace.
struct Screen {
  std::string trace;  // path below tests/traces, without extension
  analyzer::Report report;
  std::string text;    // as shown
  std::string joined;  // wrapped lines are joined

  // Returns the device that the screen is about.
  const analyzer::DeviceResult& device() const;
  const analyzer::ScopeResult& scope() const { return judged_of(device()); }
  bool says(const std::string& part) const { return joined.find(part) != std::string::npos; }
};

// Returns the text with wrapped lines joined.
std::string joined(const std::string& text);

// Returns the screens of all recorded traces with ops, sorted by path. A process makes them once.
const std::vector<Screen>& screens();

}  // namespace lapscope::test
