#pragma once

#include <ostream>
#include <string_view>

namespace lapscope::analyzer {

// Only in builds with LAPSCOPE_ABLATION, which tests/bench/ablate.py runs: the variable that says
// which numbers of the model are others, and which rules are left out.
inline constexpr const char* ablation_variable = "LAPSCOPE_ASSUME";

// "name=value,name=value": a number in its unit (ns, bytes, a share of 1), a rule with 0 or 1. To
// be called before anything is analyzed. Throws std::invalid_argument, with a sentence, for a name
// that there is not and a value that is no number.
//
// Constant expressions keep the number that is declared: usual_tolerance in analyzer/gate/gate.h.
void assume(std::string_view text);

// All that assume() knows, a line each, in tabs: "number", name, unit, value, source; "rule", name,
// fact, made_with.
void list_assumptions(std::ostream& out);

}  // namespace lapscope::analyzer
