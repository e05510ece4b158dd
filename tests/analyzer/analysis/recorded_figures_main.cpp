// Usage: recorded_figures FOLDER ALL. Prints a line for each device of each trace in FOLDER, and
// writes all figures to the file ALL. tests/approve.sh runs it.
#include <fstream>
#include <iostream>

#include "tests/analyzer/support/figures.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: recorded_figures FOLDER ALL\n";
    return 2;
  }
  const std::string all = lapscope::test::figures_of_folder(argv[1]);
  std::cout << lapscope::test::shortened(all);
  return std::ofstream(argv[2]) << all ? 0 : 1;
}
