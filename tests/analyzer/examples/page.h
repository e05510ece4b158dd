#pragma once

#include <string>

namespace lapscope::test {

// docs/measures.md: what every figure means, with the examples that the tests check and the values
// that `analyze` computes for them.
std::string measures_page();

}  // namespace lapscope::test
