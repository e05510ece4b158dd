#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace lapscope::analyzer {

// A value in a sentence of a report: a count, a time in ns, another figure, or a name from the
// trace.
using Detail = std::variant<std::int64_t, double, std::string>;

// The values for a row's sentence. Each kind of row documents their order.
using Details = std::vector<Detail>;

}  // namespace lapscope::analyzer
