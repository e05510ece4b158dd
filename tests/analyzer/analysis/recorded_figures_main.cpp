// recorded_figures FOLDER prints the figures of all recorded traces of a folder. tests/approve.sh
// runs it.
#include <iostream>

#include "tests/analyzer/support/figures.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: recorded_figures FOLDER\n";
    return 2;
  }
  std::cout << lapscope::test::figures_of_folder(argv[1]);
  return 0;
}
