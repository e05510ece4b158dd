#include <sstream>

#include "tests/analyzer/support/figures.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

// Compares every figure of every recorded trace with its approved value. `tests/approve.sh
// BUILD_DIR` approves new values.
namespace lapscope::test {
namespace {

TEST_CASE("the figures of the recorded traces are as approved") {
  const std::string approved =
      read_file(LAPSCOPE_SOURCE_DIR "/tests/analyzer/analysis/recorded_figures.txt");
  const std::string now = figures_of_folder(LAPSCOPE_TEST_TRACES);
  // Compares line by line, so that a failure shows only the changed lines.
  std::istringstream approved_lines(approved);
  std::istringstream now_lines(now);
  std::string expected;
  std::string line;
  while (std::getline(approved_lines, expected)) {
    REQUIRE(std::getline(now_lines, line));
    REQUIRE(line == expected);
  }
  REQUIRE_FALSE(std::getline(now_lines, line));
  REQUIRE_FALSE(approved.empty());
}

}  // namespace
}  // namespace lapscope::test
