#include "analyzer/ranks/run_program.h"

#include <random>
#include <string>

#include "tests/analyzer/ranks/drawn_run.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::DrawnRun;

// Returns a program as text, such as "2 begin 0 wait 6". A number is the work before an event, or
// after the last one.
std::string events_of(const RunProgram::OfRank& rank) {
  std::string text;
  for (const RankEvent& event : rank.events) {
    text += std::to_string(event.own) + (event.is_wait ? " wait " : " begin ");
  }
  return text + std::to_string(rank.last);
}

TEST_CASE("a rank's program is its own work, what it begins, and what it waits for", "[ranks]") {
  //                  0         1
  //                  0123456789012345
  const DrawnRun run({"KKRRRRRRRR.KKK..",  // waits [2,10)
                      "KK.....RRR.KKK.."});
  const RunProgram program = run.program();
  CHECK(events_of(program.of_rank[0]) == "2 begin 0 wait 6");
  CHECK(events_of(program.of_rank[1]) == "7 begin 0 wait 6");
  CHECK(program.of_rank[1].own == 13);
}

TEST_CASE("communication that ends because work begins is no wait", "[ranks]") {
  auto ranks = test::drawn_ranks({"KKRRRRRRRRKK",  //
                                  "KKRRRRRRRRKK"});
  // A kernel runs in [6,12), beyond the end of the collective.
  ranks[0].other_work =
      IntervalSet::union_of({{test::session_start, test::session_start + 2},
                             {test::session_start + 6, test::session_start + 12}});
  const DrawnRun run(std::move(ranks));
  CHECK(events_of(run.program().of_rank[0]) == "2 begin 10");
  CHECK(events_of(run.program().of_rank[1]) == "2 begin 0 wait 2");
}

TEST_CASE("a rank waits for kernels one after another", "[ranks]") {
  const DrawnRun run({"KRRGG.K",  //
                      "KRRGG.K"});
  CHECK(events_of(run.program().of_rank[0]) == "1 begin 0 wait 0 begin 0 wait 2");
}

TEST_CASE("a wait beyond the window is open", "[ranks]") {
  DrawnRun run({"KRRRRRRR",  //
                "K.....RR"});
  run.window.end = test::session_start + 4;
  run.states[0] = rank_states(run.ranks, 0, members_by_rank(run.matches, 2)[0], run.window);
  const RunProgram program = run.program();
  REQUIRE(events_of(program.of_rank[0]) == "1 begin 0 wait 0");
  CHECK(program.is_open(program.of_rank[0].events[1]));
}

// Rank 1 is last to begin, at 7. The transfer takes until 10. After that, rank 0 computes longest.
TEST_CASE("the critical path goes through the rank that begins last", "[ranks]") {
  //                  0         1
  //                  01234567890123
  const DrawnRun run({"KKRRRRRRRRKKKK",  //
                      "KK.....RRR.KK."});
  const auto time = [](Ns start, Ns end) {
    return Interval{test::session_start + start, test::session_start + end};
  };
  const std::vector<PathPart> path = critical_path(run.program());
  REQUIRE(path.size() == 3);
  CHECK((path[0].rank == 0 && path[0].time == time(10, 14) && !path[0].is_transfer));
  CHECK((path[1].rank == 0 && path[1].time == time(7, 10) && path[1].is_transfer));
  CHECK((path[2].rank == 1 && path[2].time == time(0, 7) && !path[2].is_transfer));
}

// Each rank waits for the other one, in different communicators and streams.
TEST_CASE("ranks that all wait beyond the window have a critical path", "[ranks]") {
  auto ranks = test::drawn_ranks({"KKKRRRRRRR",  //
                                  "KKKGGGGGGG"});
  ranks[0].collectives.push_back(
      {{test::session_start + 5, test::session_start + 10}, 0, 0, 1, CollectiveKind::all_gather});
  ranks[1].collectives.push_back(
      {{test::session_start + 5, test::session_start + 10}, 0, 0, 0, CollectiveKind::all_reduce});
  DrawnRun run(std::move(ranks));
  REQUIRE(run.matches.collectives.size() == 2);
  run.window.end = test::session_start + 4;
  for (std::size_t r = 0; r < 2; ++r) {
    run.states[r] = rank_states(run.ranks, r, members_by_rank(run.matches, 2)[r], run.window);
  }
  const std::vector<PathPart> path = critical_path(run.program());
  REQUIRE(path.size() == 1);
  CHECK(path[0].time == run.window);
}

TEST_CASE("the parts of the critical path cover the window", "[ranks][laws]") {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    const DrawnRun run(test::random_ranks(random, 3, 60));
    Ns end = run.window.end;
    for (const PathPart& part : critical_path(run.program())) {
      REQUIRE(part.time.end == end);
      REQUIRE(part.time.length() > 0);
      end = part.time.start;
    }
    REQUIRE(end == run.window.start);
  }
}

}  // namespace
}  // namespace lapscope::analyzer
