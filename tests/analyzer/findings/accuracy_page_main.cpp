#include <iostream>

#include "tests/analyzer/findings/accuracy_page.h"

// Writes docs/what-if-accuracy.md to standard output.
int main() {
  lapscope::test::write_accuracy_page(LAPSCOPE_TEST_TRACES, std::cout);
  return std::cout.flush() ? 0 : 1;
}
