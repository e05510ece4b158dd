#include "cli/progress_bar.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <sstream>

#include "tests/catch.h"

namespace lapscope::cli {
namespace {

TEST_CASE("a progress line shows a name, a bar and a share, and fits the terminal") {
  REQUIRE(progress_line("reading t", 0.5, 30) == "reading t [######------]  50 %");
  for (int width = 0; width < 120; ++width) {
    INFO(width);
    REQUIRE(progress_line("reading a-long-name.sqlite", 0.3, width).size() <=
            static_cast<std::size_t>(width));
  }
}

TEST_CASE("the time left is told in seconds, and in minutes where it is long") {
  CHECK(left_line(29.2) == ", 30 s left");
  CHECK(left_line(100) == ", 2 min left");
  CHECK(left_line(0) == ", 0 s left");
}

TEST_CASE("work that does not tell how far it has come shows how long it has taken") {
  REQUIRE(elapsed_line("rendering r.html", 3, 30) == "rendering r.html, 3 s");
  REQUIRE(elapsed_line("rendering a-long-name.html", 12, 20) == "rendering a-lo, 12 s");
  for (int width = -1; width < 40; ++width) {
    INFO(width);
    REQUIRE(elapsed_line("rendering r.html", 100, width).size() <=
            static_cast<std::size_t>(std::max(width, 0)));
  }
}

TEST_CASE("what is expected may be too little or nothing") {
  REQUIRE(progress_line("t", 1.7, 40).find("100 %") != std::string::npos);
  REQUIRE(progress_line("t", -1, 40).find("  0 %") != std::string::npos);
}

TEST_CASE("a reading that is over at once draws nothing, and nothing waits for it") {
  std::ostringstream drawn;
  std::streambuf* const terminal = std::cerr.rdbuf(drawn.rdbuf());
  const auto begin = std::chrono::steady_clock::now();
  {
    const analyzer::Progress progress;
    const ProgressBar bar({{"t", 5}}, &progress);
  }
  { const ProgressBar other({{"t"}}); }
  const auto took = std::chrono::steady_clock::now() - begin;
  std::cerr.rdbuf(terminal);
  REQUIRE(drawn.str().empty());
  REQUIRE(took < std::chrono::milliseconds(800));  // the bar would appear after a second
}

}  // namespace
}  // namespace lapscope::cli
