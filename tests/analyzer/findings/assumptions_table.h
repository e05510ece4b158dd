#pragma once

#include <string>

namespace lapscope::test {

// The page with the tables of assumptions and of rules between their markers. Throws
// std::runtime_error when it has none.
std::string with_assumptions(const std::string& page);

}  // namespace lapscope::test
