#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace lapscope::analyzer {

// A value in a sentence of a report: a count, a time in ns, another figure, or a name from the
// trace.
using Detail = std::variant<std::int64_t, double, std::string>;

// The values in a sentence of a report. HealthKind and RemarkKind document their order.
using Details = std::vector<Detail>;

}  // namespace lapscope::analyzer
