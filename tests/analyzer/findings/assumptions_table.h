#pragma once

#include <string>

namespace lapscope::test {

// docs/numbers.md with the tables of numbers and of rules between their markers. Throws
// std::runtime_error when it has none.
std::string with_assumptions(const std::string& page);

}  // namespace lapscope::test
