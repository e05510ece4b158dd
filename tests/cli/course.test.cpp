#include "cli/course.h"

#include <cmath>

#include "tests/catch.h"

namespace lapscope::cli {
namespace {

// Estimates are not exact, so an error of 10 % is allowed.
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
TEST_CASE("what has been done tells how long the rest takes here") {
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
