#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/causes_result.h"

namespace lapscope::reports {

// A step to take, in the terms of a framework, and the source line to change.
struct FrameworkAdvice {
  std::string_view code;  // stable
  std::string_view text;  // a sentence or two
  std::string line;       // such as train.py:31; empty if unknown

  friend bool operator==(const FrameworkAdvice&, const FrameworkAdvice&) = default;
};

// Returns the advice for a finding's call sites, the most suitable first. Empty if the call sites
// show no framework, or if no specific step applies.
std::vector<FrameworkAdvice> framework_advice(const analyzer::FindingResult& finding);

// Returns all codes in the table of advice. Several rows, for different causes, may have the same
// code.
std::vector<std::string_view> framework_advice_codes();

}  // namespace lapscope::reports
