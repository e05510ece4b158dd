#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "tests/reports/support/approved.h"

// Usage: approve_reports FOLDER. Writes the approved files, with which tests compare outputs.
int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: approve_reports FOLDER\n";
    return 2;
  }
  try {
    for (const auto& [file, text] : lapscope::test::outputs_to_approve()) {
      std::ofstream(std::filesystem::path(argv[1]) / file, std::ios::binary) << text;
    }
  } catch (const std::exception& error) {
    std::cerr << "approve_reports: " << error.what() << '\n';
    return 4;
  }
  return 0;
}
