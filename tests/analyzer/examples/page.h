#pragma once

#include <string>

namespace lapscope::test {

// Returns docs/measures.md: the meaning of every figure, with examples. Tests check these examples,
// and `analyze` computes their values.
std::string measures_page();

}  // namespace lapscope::test
