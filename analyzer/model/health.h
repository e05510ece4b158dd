#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapscope::analyzer {

// How far a defect of the trace reaches: `error` makes conclusions inconclusive.
enum class Severity { info, warning, error };

std::string_view name_of(Severity severity);

// One way in which a trace is less than complete and exact.
struct HealthRow {
  std::string code;  // stable
  Severity severity = Severity::info;
  std::int64_t count = 0;
  std::string message;  // a sentence
  std::string remedy;   // the next step, as a sentence; may be empty
};

}  // namespace lapscope::analyzer
