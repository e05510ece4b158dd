#pragma once

#include <string>

namespace lapscope::test {

// Returns docs/measures.md: the meaning of every figure, with tested examples.
std::string measures_page();

}  // namespace lapscope::test
