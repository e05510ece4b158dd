#pragma once

#include <ostream>
#include <string_view>

namespace lapscope::analyzer {

// An environment variable for builds with LAPSCOPE_ABLATION (tests/bench/ablate.py). It changes
// numbers of the model and switches rules off.
inline constexpr const char* ablation_variable = "LAPSCOPE_ASSUME";

// Sets numbers and rules from "name=value,name=value". The value of a number is in its unit (ns,
// bytes, a share of 1). The value of a rule is 0 or 1. Call this before anything is analyzed.
// Throws std::invalid_argument for an unknown name, for a negative value, and for a value that is
// not a number. The text of the exception is a sentence.
//
// Does not change constants that the compiler computed from a number, such as usual_tolerance in
// analyzer/gate/gate.h.
void assume(std::string_view text);

// Writes a line for each number and rule that assume() knows, with tabs between the fields. The
// fields of a number are "number", name, unit, value and source. The fields of a rule are "rule",
// name, fact and made_with.
void list_assumptions(std::ostream& out);

}  // namespace lapscope::analyzer
