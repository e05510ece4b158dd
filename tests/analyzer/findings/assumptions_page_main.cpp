#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/analyzer/findings/assumptions_table.h"

// Writes the tables of assumptions and rules into the given page.
int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: lapscope_assumptions_page PAGE\n";
    return 2;
  }
  std::stringstream page;
  page << std::ifstream(arguments[1]).rdbuf();
  const std::string written = lapscope::test::with_assumptions(page.str());
  std::ofstream out(arguments[1]);
  out << written;
  if (out.flush()) return 0;
  std::cerr << "lapscope_assumptions_page: " << arguments[1] << " could not be written.\n";
  return 1;
}
