#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "tests/analyzer/support/figures.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

// Compares every figure of every recorded trace with its approved value. `tests/approve.sh`
// approves new values.
namespace lapscope::test {
namespace {

constexpr const char* all_figures_file = LAPSCOPE_TEST_BUILD "/all_figures.txt";

TEST_CASE("the figures of the recorded traces are as approved") {
  const std::string approved =
      read_file(LAPSCOPE_SOURCE_DIR "/tests/analyzer/analysis/recorded_figures.txt");
  const std::string all = figures_of_folder(LAPSCOPE_TEST_TRACES);
  const std::string now = shortened(all);
  if (now != approved) std::ofstream(all_figures_file) << all;
  INFO("The figures behind `rest` are in " << all_figures_file
                                           << ". Compare them with those of an earlier build.");
  // Compares line by line, so that a failure shows only the changed lines.
  std::istringstream approved_lines(approved);
  std::istringstream now_lines(now);
  std::string expected;
  std::string line;
  while (std::getline(approved_lines, expected)) {
    REQUIRE(std::getline(now_lines, line));
    CHECK(line == expected);
  }
  REQUIRE_FALSE(std::getline(now_lines, line));
  REQUIRE_FALSE(approved.empty());
}

TEST_CASE("a line of figures changes with each of them") {
  const std::string figures =
      "a health lost 2\na device 0 ops 1\na device 0 wall 5\na device 0 busy 4\n"
      "b device 0 ops 1\nb device 0 wall 5\n";
  const std::string one_line = shortened(figures);
  const std::size_t rest = one_line.find(" rest ");
  CHECK(one_line.substr(0, rest) == "a health lost 2\na device 0 wall 5 busy 4");
  CHECK(std::ranges::count(one_line, '\n') == 3);
  for (const auto& [before, after] : {std::pair{"ops 1", "ops 2"}, {"wall 5", "wall 6"}}) {
    std::string changed = figures;
    changed.replace(changed.find(before), std::string(before).size(), after);
    CHECK(shortened(changed) != one_line);
  }
}

}  // namespace
}  // namespace lapscope::test
