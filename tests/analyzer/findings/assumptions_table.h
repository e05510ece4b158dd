#pragma once

#include <string>

namespace lapscope::test {

// Returns docs/numbers.md with new tables between its markers. Throws std::runtime_error if a
// marker is missing.
std::string with_assumptions(const std::string& page);

}  // namespace lapscope::test
