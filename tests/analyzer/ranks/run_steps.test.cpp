#include "analyzer/ranks/run_steps.h"

#include "tests/analyzer/ranks/drawn_ranks.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

std::optional<Interval> steps(std::initializer_list<std::string_view> pictures) {
  const std::vector<RankWork> ranks = test::drawn_ranks(pictures);
  const Matches matches = match_collectives(ranks);
  const std::vector<Ns> borders =
      steps_of_run(ranks, members_by_rank(matches, ranks.size())).borders;
  if (borders.empty()) return std::nullopt;
  return Interval{borders.front() - test::session_start, borders.back() - test::session_start};
}

TEST_CASE("steps are where the collectives come again and again", "[ranks]") {
  //             0         1         2         3
  //             0123456789012345678901234567890123
  const auto found = steps({"RR.RR.GR.GR.GR.GR.GR.GR.GR.GR.....",  //
                            "RR.RR.GR.GR.GR.GR.GR.GR.GR.GR....."});
  REQUIRE(found);
  CHECK(found->start <= 9);
  CHECK(found->end >= 26);
}

TEST_CASE("collectives all of one kind are steps of one", "[ranks]") {
  const auto found = steps({"GG..RR.RR.RR.RR.RR",  //
                            "GG..RR.RR.RR.RR.RR"});
  REQUIRE(found);
  CHECK(*found == Interval{4, 18});
}

TEST_CASE("a first step that takes unusually long is none", "[ranks]") {
  const auto found = steps({"RR..............................RR.RR.RR.RR.RR",  //
                            "RR..............................RR.RR.RR.RR.RR"});
  REQUIRE(found);
  CHECK(*found == Interval{32, 46});
}

TEST_CASE("stages of a pipeline have steps", "[ranks]") {
  const auto found = steps({"Sv.Sv.Sv.Sv.Sv.Sv.Sv.Sv.",  //
                            "Vs.Vs.Vs.Vs.Vs.Vs.Vs.Vs."});
  REQUIRE(found);
  CHECK(*found == Interval{0, 23});
}

TEST_CASE("three collectives are no steps", "[ranks]") {
  CHECK_FALSE(steps({"RR.RR.RR", "RR.RR.RR"}));
  CHECK_FALSE(steps({"KKKK", "KKKK"}));
}

// Six steps of three equal collectives, with a pause of 11 ns between steps.
TEST_CASE("bursts of equal collectives are steps", "[ranks]") {
  std::string picture;
  for (int step = 0; step < 6; ++step) picture += "RR.RR.RR...........";
  const std::vector<RankWork> ranks = test::drawn_ranks({picture, picture});
  const Matches matches = match_collectives(ranks);
  const RunSteps steps = steps_of_run(ranks, members_by_rank(matches, 2));
  CHECK(steps.collectives == 3);
  REQUIRE(steps.borders.size() == 7);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(steps.borders[i] == test::session_start + 19 * static_cast<Ns>(i));
  }
  CHECK(steps.borders[6] == steps.borders[5] + 8);
}

// A collective of 12 ns follows each pause of 11 ns.
TEST_CASE("long blocks that follow each other are one pause", "[ranks]") {
  std::string picture;
  for (int step = 0; step < 6; ++step) picture += "RRRRRRRRRRRR.RR.RR.RR.RR...........";
  const std::vector<RankWork> ranks = test::drawn_ranks({picture, picture});
  const Matches matches = match_collectives(ranks);
  CHECK(steps_of_run(ranks, members_by_rank(matches, 2)).collectives == 5);
}

// Pauses of random length show no steps.
TEST_CASE("equal collectives with uneven pauses are one step each", "[ranks]") {
  const std::string picture =
      "RR.RR.RR.........RR.RR.........RR.RR.RR.RR.........RR.........RR.RR.RR.RR.........RR.RR.RR";
  const std::vector<RankWork> ranks = test::drawn_ranks({picture, picture});
  const Matches matches = match_collectives(ranks);
  CHECK(steps_of_run(ranks, members_by_rank(matches, 2)).collectives == 1);
}

}  // namespace
}  // namespace lapscope::analyzer
