#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <sstream>

#include "cli/progress_bar.h"
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

// Returns whether an estimate is right to within 10 %.
bool is_about(double value, double expected) {
  return std::abs(value - expected) <= 0.1 * expected;
}

TEST_CASE("before anything is known of this machine, what is left is as planned") {
  Course course;
  course.expect(4);
  course.expect(6);
  course.begin(4, 0);
  const auto outlook = course.outlook(std::nullopt, 1).value();
  CHECK(is_about(outlook.left, 9));
  CHECK(is_about(outlook.share, 0.1));
}

// The first stage takes three times as long as expected. The estimate must assume the same for the
// second stage.
TEST_CASE("the time of the completed stages scales the estimate of the others") {
  Course course;
  course.expect(10);
  course.expect(20);
  course.begin(10, 0);
  const auto outlook = course.outlook(0.5, 15).value();
  CHECK(is_about(outlook.left, 15 + 20 * 3));
  course.end(30);
  course.begin(20, 30);
  for (double now = 30; now < 45; now += 0.1) course.outlook(std::nullopt, now);
  CHECK(is_about(course.outlook(std::nullopt, 45)->left, 45));
}

TEST_CASE("a stage that tells how far it has come is judged by that, whatever was planned") {
  Course course;
  course.begin(1, 0);
  CHECK(is_about(course.outlook(0.25, 10)->left, 30));
}

TEST_CASE("nothing is told of what nobody knows") {
  Course course;
  course.begin(0, 0);
  CHECK_FALSE(course.outlook(std::nullopt, 5));
  CHECK(is_about(course.outlook(0.5, 5)->left, 5));
}

TEST_CASE("a stage that takes longer than planned is never told to be over") {
  Course course;
  course.expect(1);
  course.begin(1, 0);
  double share = 0;
  for (double now = 1; now < 100; now += 0.1) {
    const auto outlook = course.outlook(std::nullopt, now).value();
    REQUIRE(outlook.left > 0);
    REQUIRE(outlook.share < 1);
    REQUIRE(outlook.share >= share);
    share = outlook.share;
  }
}

TEST_CASE("a new estimate is told within seconds and not at once, and no share falls") {
  Course course;
  course.expect(2);
  course.expect(2);
  course.begin(2, 0);
  const auto before = course.outlook(0.5, 1).value();
  CHECK(is_about(before.left, 3));
  course.end(2);
  course.begin(2, 2);
  // The second stage is much slower than expected.
  const auto after = course.outlook(0.1, 6).value();
  CHECK(after.share >= before.share);
  double left = 0;
  for (double now = 6; now < 12; now += 0.1) left = course.outlook(0.1, now)->left;
  CHECK(left > 10);
}

TEST_CASE("stages that do not come are not waited for") {
  Course course;
  course.expect(5);
  course.expect(100);
  course.begin(5, 0);
  course.leave_out(100);
  CHECK(is_about(course.outlook(std::nullopt, 1)->left, 4));
}

}  // namespace

}  // namespace lapscope::cli
