#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/analyzer/findings/accuracy_page.h"
#include "tests/analyzer/findings/assumptions_table.h"

// Writes docs/what-if-accuracy.md and analyzer/findings/recorded_accuracy.h to the files named, and
// the tables of numbers and of rules into docs/numbers.md.
int main(int count, char** arguments) {
  if (count != 4) {
    std::cerr << "usage: lapscope_accuracy_page PAGE HEADER NUMBERS_PAGE\n";
    return 2;
  }
  const auto accuracy = lapscope::test::read_accuracy(LAPSCOPE_TEST_TRACES);
  std::ofstream page(arguments[1]);
  lapscope::test::write_accuracy_page(accuracy, page);
  std::ofstream header(arguments[2]);
  lapscope::test::write_accuracy_header(accuracy, header);
  std::stringstream numbers;
  numbers << std::ifstream(arguments[3]).rdbuf();
  const std::string written = lapscope::test::with_assumptions(numbers.str());
  std::ofstream numbers_page(arguments[3]);
  numbers_page << written;
  if (page.flush() && header.flush() && numbers_page.flush()) return 0;
  std::cerr << "lapscope_accuracy_page: the files could not be written.\n";
  return 1;
}
