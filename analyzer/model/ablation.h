#pragma once

#include <ostream>
#include <string_view>

namespace lapscope::analyzer {

// An environment variable for builds with LAPSCOPE_ABLATION (tests/bench/ablate.py). It changes
// numbers of the model and switches rules off.
inline constexpr const char* ablation_variable = "LAPSCOPE_ASSUME";

// Sets numbers and rules from "name=value,name=value". Call this before anything is analyzed. A
// number is in its unit (ns, bytes, a share of 1). A rule is 0 or 1. Throws std::invalid_argument
// with a sentence if a name is unknown or a value is wrong. Constants that the compiler computed
// from a number do not change, such as usual_tolerance in analyzer/gate/gate.h.
void assume(std::string_view text);

// Writes a line for each number and for each rule that assume() knows. Tabs separate the fields:
//
//   number  name  unit  value  source
//   rule    name  fact  made_with
void list_assumptions(std::ostream& out);

}  // namespace lapscope::analyzer
