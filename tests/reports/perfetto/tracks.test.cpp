#include "reports/perfetto/tracks.h"

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using Rows = std::vector<std::uint32_t>;

// Distributes intervals to rows. Each picture is one interval.
Rows rows_in(std::initializer_list<std::string_view> pictures, Nesting nesting) {
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> end;
  for (const std::string_view picture : pictures) {
    const auto interval = test::intervals_in(picture).front();
    start.push_back(interval.start);
    end.push_back(interval.end);
  }
  return rows_of(start, end, nesting);
}

TEST_CASE("what overlaps goes to another row, and what only touches does not") {
  CHECK(rows_in({"AAAA....", "..BBBB..", "......CC"}, Nesting::none) == Rows{0, 1, 0});
  CHECK(rows_in({"AAAA", ".BB."}, Nesting::none) == Rows{0, 1});
  CHECK(rows_in({"AA..", "..BB"}, Nesting::none) == Rows{0, 0});
}

TEST_CASE("what lies inside stays on the row where slices nest") {
  CHECK(rows_in({"AAAA", ".BB."}, Nesting::inside) == Rows{0, 0});
  CHECK(rows_in({"AAAAAA", ".BB...", "..CCCC"}, Nesting::inside) == Rows{0, 0, 1});
  CHECK(rows_in({"AAAA..", "..BBBB"}, Nesting::inside) == Rows{0, 1});
  CHECK(rows_in({"AAAA", "BBBB"}, Nesting::inside) == Rows{0, 0});
}

// Computes the rows in a simple way: each interval goes to the first row with room.
Rows rows_by_search(const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& end,
                    Nesting nesting) {
  Rows rows;
  std::vector<std::vector<std::int64_t>> open;
  for (std::size_t i = 0; i < start.size(); ++i) {
    std::uint32_t row = 0;
    for (;; ++row) {
      if (row == open.size()) open.emplace_back();
      while (!open[row].empty() && open[row].back() <= start[i]) open[row].pop_back();
      const bool is_inside =
          nesting == Nesting::inside && !open[row].empty() && end[i] <= open[row].back();
      if (open[row].empty() || is_inside) break;
    }
    open[row].push_back(end[i]);
    rows.push_back(row);
  }
  return rows;
}

TEST_CASE("each interval goes to the first row that has room, of however many") {
  std::mt19937 random(20261126);
  for (int round = 0; round < 200; ++round) {
    std::uniform_int_distribution<std::int64_t> lasts(0, 1 + round);
    std::uniform_int_distribution<std::int64_t> begins(0, 50);
    std::vector<std::pair<std::int64_t, std::int64_t>> intervals;
    for (int i = 0; i < 60; ++i) {
      const std::int64_t begin = begins(random);
      intervals.emplace_back(begin, -(begin + lasts(random)));  // the longer one first
    }
    std::sort(intervals.begin(), intervals.end());
    std::vector<std::int64_t> start;
    std::vector<std::int64_t> end;
    for (const auto& [begin, minus_end] : intervals) {
      start.push_back(begin);
      end.push_back(-minus_end);
    }
    for (const Nesting nesting : {Nesting::none, Nesting::inside}) {
      REQUIRE(rows_of(start, end, nesting) == rows_by_search(start, end, nesting));
    }
  }
}

TEST_CASE("counters tell how many ops run and what copies move") {
  analyzer::TimelineLane a;
  a.start = {0, 4, 9};
  a.end = {4, 8, 9};  // the last one takes no time
  a.bytes = {8, 8, 5};
  analyzer::TimelineLane b;
  b.start = {2};
  b.end = {6};
  b.bytes = {40};
  //   a  AAAABBBB.|
  //   b  ..CCCC
  const auto told = [](const std::vector<Step>& steps) {
    std::vector<std::pair<std::int64_t, double>> pairs;
    for (const Step& step : steps) pairs.emplace_back(step.time, step.value);
    return pairs;
  };
  using Steps = std::vector<std::pair<std::int64_t, double>>;
  CHECK(told(active_ops({&a, &b})) == Steps{{0, 1}, {2, 2}, {6, 1}, {8, 0}});
  CHECK(told(copy_rate({&a, &b})) == Steps{{0, 2e9}, {2, 12e9}, {6, 2e9}, {8, 0}});
}

TEST_CASE("rates that no link has are counters all the same, and end with their copies") {
  analyzer::TimelineLane a;
  a.start = {0, 1};
  a.end = {1, 2};
  a.bytes = {std::int64_t{1} << 53, std::numeric_limits<std::int64_t>::max()};
  const auto steps = copy_rate({&a, &a});
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].value > 1e18);
  CHECK(steps[1].value == 0);
}

}  // namespace
}  // namespace lapscope::reports
