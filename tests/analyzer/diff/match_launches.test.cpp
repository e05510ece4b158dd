#include "analyzer/diff/match_launches.h"

#include <random>
#include <sstream>

#include "tests/analyzer/gate/support/made_run.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// Makes launches from letters, which are names of kernels. Each launch takes 100 + i ns in the
// instance i, counted from 0.
LaunchOrder order_of(std::string_view letters, int instances = 1) {
  LaunchOrder order;
  order.instances = instances;
  for (const char letter : letters) {
    const std::string name(1, letter);
    const auto known = std::find(order.names.begin(), order.names.end(), name);
    LaunchOrder::Launch& launch = order.launches.emplace_back();
    launch.name = static_cast<std::uint32_t>(known - order.names.begin());
    if (known == order.names.end()) order.names.push_back(name);
    for (int i = 0; i < instances; ++i) launch.ns.push_back(100 + i);
  }
  return order;
}

// Returns whether match_launches() finds the matches of a drawing. Each letter is a launch. Below
// each launch of "after", the line "from" has the index of the matching launch in "before". If no
// launch matches, the line "from" has '.'.
bool are_matched(const std::string& drawing) {
  std::istringstream lines(drawing);
  std::string word;
  std::string before;
  std::string after;
  std::string from;
  lines >> word >> before >> word >> after >> word >> from;
  std::string matched(after.size(), '.');
  for (const auto& [old, place] : match_launches(order_of(before), order_of(after))) {
    matched[place] = static_cast<char>('0' + old);
  }
  UNSCOPED_INFO("matched " << matched);
  return matched == from;
}

TEST_CASE("if both sides launch a kernel equally often, the k-th launches match") {
  CHECK(are_matched(R"(
      before   abaca
      after    abaca
      from     01234)"));
  CHECK(are_matched(R"(
      before   abaca
      after    acaba
      from     03214)"));
  CHECK(are_matched(R"(
      before   ab
      after    xy
      from     ..)"));
}

TEST_CASE("if the numbers of launches differ, the longest common subsequence decides which match") {
  CHECK(are_matched(R"(
      before   abcb
      after    abbcb
      from     01.23)"));
  CHECK(are_matched(R"(
      before   aabaa
      after    aabaaaa
      from     01234..)"));
  CHECK(are_matched(R"(
      before   cacbc
      after    acbc
      from     1234)"));
  // Both sides launch the kernel `a` three times.
  CHECK(are_matched(R"(
      before   abaca
      after    acbbaa
      from     031.24)"));
}

// A kernel alternates between two grids. The large grid has 4096 blocks and takes 50 times as long.
TEST_CASE("a launch is matched only with launches of the same grid") {
  const auto with = [](const std::vector<std::int64_t>& blocks) {
    LaunchOrder order = order_of(std::string(blocks.size(), 'a'), 5);
    for (std::size_t place = 0; place < blocks.size(); ++place) {
      order.launches[place].blocks = blocks[place];
      for (std::int64_t& ns : order.launches[place].ns) ns *= blocks[place] > 100 ? 50 : 1;
    }
    return order;
  };
  const LaunchOrder before = with({1, 4096, 1, 4096});
  const LaunchOrder after = with({1, 1, 4096, 4096});
  using Pair = std::pair<std::size_t, std::size_t>;
  CHECK(match_launches(before, after) == std::vector<Pair>{{0, 0}, {2, 1}, {1, 2}, {3, 3}});
  CHECK(match_launches(before, with({2, 8, 2, 8})).empty());
  ScopeSummary then;
  ScopeSummary now;
  then.launches = before;
  now.launches = after;
  CHECK(compare_launches({&then}, {&now}).empty());
}

TEST_CASE("every launch is matched at most once, by its name, and equal runs launch by launch") {
  std::mt19937 random(20261121);
  for (int round = 0; round < 300; ++round) {
    const auto any = [&random] {
      std::string letters(random() % 12, 'a');
      for (char& letter : letters) letter = static_cast<char>('a' + random() % 3);
      return letters;
    };
    const std::string one = any();
    const std::string two = any();
    INFO(one << " " << two);
    const auto pairs = match_launches(order_of(one), order_of(two));
    std::vector<std::size_t> places;
    for (const auto& [old, place] : pairs) {
      REQUIRE(one.at(old) == two.at(place));
      places.push_back(old);
    }
    std::sort(places.begin(), places.end());
    REQUIRE(std::adjacent_find(places.begin(), places.end()) == places.end());
    const auto same = match_launches(order_of(one), order_of(one));
    REQUIRE(same.size() == one.size());
    for (const auto& [old, place] : same) REQUIRE(old == place);
  }
}

// Compares two sides. Each has one run with five instances. In the later run, the launches in
// `slower` take `more` ns longer.
std::vector<LaunchChange> compared(std::string_view before, std::string_view after,
                                   std::initializer_list<std::size_t> slower, std::int64_t more,
                                   int instances = 5) {
  ScopeSummary then;
  ScopeSummary now;
  then.launches = order_of(before, instances);
  now.launches = order_of(after, instances);
  for (const std::size_t place : slower) {
    for (std::int64_t& ns : now.launches.launches[place].ns) ns += more;
  }
  return compare_launches({&then}, {&now});
}

TEST_CASE("a kernel whose third launch got slower is told as such") {
  const auto changes = compared("abaca", "abaca", {4}, 40);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].name == "a");
  CHECK(changes[0].nth == 3);
  CHECK(changes[0].of == 3);
  CHECK(changes[0].ns.change == Change::worse);
  CHECK(*changes[0].ns.difference() == 40);
}

TEST_CASE("it is told by its number on both sides when there are more of them") {
  const auto changes = compared("aba", "aaba", {3}, 40);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].nth == 3);
  CHECK(changes[0].of == 3);
  CHECK(changes[0].nth_before == 2);
  CHECK(changes[0].of_before == 2);
}

TEST_CASE("what the times of the kernel as a whole tell is not told again") {
  CHECK(compared("abaca", "abaca", {0, 2, 4}, 40).empty());
  CHECK(compared("abaca", "abaca", {1}, 40).empty());  // the only launch with this name
  CHECK(compared("abaca", "abaca", {0, 2}, 40).size() == 2);
}

TEST_CASE("little, and what may be noise, is not told") {
  CHECK(compared("aa", "aa", {0}, 4).empty());      // significant, but less than 5 %
  CHECK(compared("aa", "aa", {0}, 40, 3).empty());  // three instances are too few
  CHECK(compared("aa", "aa", {}, 0).empty());
}

TEST_CASE("enough runs are judged by their medians, which see what differs from run to run") {
  // Times differ only between runs.
  const auto side = [](std::initializer_list<std::int64_t> times) {
    std::vector<ScopeSummary> runs;
    for (const std::int64_t ns : times) {
      ScopeSummary run;
      run.launches = order_of("aa", 5);
      for (std::int64_t& one : run.launches.launches[0].ns) one = ns;
      runs.push_back(run);
    }
    return runs;
  };
  const auto changes = [](const std::vector<ScopeSummary>& before,
                          const std::vector<ScopeSummary>& after) {
    std::vector<const ScopeSummary*> then;
    std::vector<const ScopeSummary*> now;
    for (const ScopeSummary& run : before) then.push_back(&run);
    for (const ScopeSummary& run : after) now.push_back(&run);
    return compare_launches(then, now).size();
  };
  CHECK(changes(side({100, 140, 100, 140}), side({120, 150, 100, 145})) == 0);
  CHECK(changes(side({100, 110, 100, 110}), side({140, 150, 140, 150})) == 1);
  CHECK(changes(side({100}), side({140})) == 1);  // one run each: instances count
}

TEST_CASE("runs that launched something else than most are left out") {
  ScopeSummary most;
  most.launches = order_of("aa", 5);
  ScopeSummary odd;
  odd.launches = order_of("aaa", 5);
  ScopeSummary slower = most;
  for (std::int64_t& ns : slower.launches.launches[1].ns) ns += 50;
  const ScopeSummary none;  // read from a summary file
  CHECK(compare_launches({&odd, &most, &most}, {&slower, &odd, &slower}).size() == 1);
  CHECK(compare_launches({&most}, {&none, nullptr}).empty());
}

}  // namespace
}  // namespace lapscope::analyzer
