#include <fstream>
#include <iostream>

#include "tests/analyzer/findings/accuracy_page.h"

// Writes docs/what-if-accuracy.md and analyzer/findings/recorded_accuracy.h to the files named.
int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: lapscope_accuracy_page PAGE HEADER\n";
    return 2;
  }
  const auto accuracy = lapscope::test::read_accuracy(LAPSCOPE_TEST_TRACES);
  std::ofstream page(arguments[1]);
  lapscope::test::write_accuracy_page(accuracy, page);
  std::ofstream header(arguments[2]);
  lapscope::test::write_accuracy_header(accuracy, header);
  if (page.flush() && header.flush()) return 0;
  std::cerr << "lapscope_accuracy_page: the files could not be written.\n";
  return 1;
}
