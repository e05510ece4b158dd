#include <exception>
#include <iostream>

#include "tests/bench/trace_scan.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: sqlite_scan TRACE\n";
    return 2;
  }
  try {
    const auto result = lapscope::bench::scan_trace(argv[1]);
    std::cout << "rows: " << result.rows << "\nsum: " << result.sum << '\n';
  } catch (const std::exception& error) {
    std::cerr << "sqlite_scan: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
