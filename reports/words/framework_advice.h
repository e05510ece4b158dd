#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/causes_result.h"

namespace lapscope::reports {

// A step in the words of a framework, and the line that it is about.
struct FrameworkAdvice {
  std::string_view code;  // stable
  std::string_view text;  // a sentence or two
  std::string line;       // as train.py:31; empty where it is not known

  friend bool operator==(const FrameworkAdvice&, const FrameworkAdvice&) = default;
};

// The advice for what is shown of a finding's call sites, the fitting one first. Empty if they show
// no framework, or nothing that suggests what to type.
std::vector<FrameworkAdvice> framework_advice(const analyzer::FindingResult& finding);

// What the table has; a code may be there for several causes.
std::vector<std::string_view> framework_advice_codes();

}  // namespace lapscope::reports
