#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace lapscope::analyzer {

// A value that a sentence of a report contains. It is a count or ns, a figure, or a name from the
// trace.
using Detail = std::variant<std::int64_t, double, std::string>;

// The details of a row, in the order that the row's kind documents.
using Details = std::vector<Detail>;

}  // namespace lapscope::analyzer
