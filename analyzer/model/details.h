#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace lapscope::analyzer {

// What a sentence is about, for whoever has the words: a count or ns, a figure, a name of the
// trace.
using Detail = std::variant<std::int64_t, double, std::string>;

// In the order in which the kind of a row lists them.
using Details = std::vector<Detail>;

}  // namespace lapscope::analyzer
