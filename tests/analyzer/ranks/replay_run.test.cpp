#include "analyzer/ranks/replay_run.h"

#include <random>

#include "tests/analyzer/ranks/drawn_run.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::DrawnRun;

// Whether a rank is recorded to do something else than wait at the end of the window.
bool ends_in_work(const RunProgram& program) {
  return std::any_of(program.of_rank.begin(), program.of_rank.end(), [&](const auto& rank) {
    return rank.events.empty() || !rank.events.back().is_wait ||
           !program.is_open(rank.events.back());
  });
}

TEST_CASE("without changes a run takes as long as recorded", "[ranks][laws]") {
  std::mt19937 random(12);
  for (int round = 0; round < 500; ++round) {
    const DrawnRun run(test::random_ranks(random, 2 + round % 3, 60));
    const RunProgram program = run.program();
    if (ends_in_work(program)) REQUIRE(replay_run(program, {}) == run.window.length());
  }
}

TEST_CASE("no change makes a run longer", "[ranks][laws]") {
  std::mt19937 random(13);
  for (int round = 0; round < 300; ++round) {
    const DrawnRun run(test::random_ranks(random, 3, 60));
    const RunProgram program = run.program();
    const Ns recorded = replay_run(program, {});
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      REQUIRE(replay_run(program, {.on_time = rank}) <= recorded);
    }
    REQUIRE(replay_run(program, {.hides_transfers = true}) <= recorded);
  }
}

// On time, rank 1 begins at 2 and 9 instead of 7 and 14:
//
//   rank 0  KKRRR.KKRRR.
//   rank 1  KKRRR.KKRRR.
TEST_CASE("a rank on time begins as early as the rank before it", "[ranks]") {
  const DrawnRun run({"KKRRRRRRRR.KKRRRRRRRR.",  //
                      "KK.....RRR.KK.....RRR."});
  CHECK(replay_run(run.program(), {.on_time = 1}) == 12);
  CHECK(replay_run(run.program(), {.on_time = 0}) == 22);
}

// Rank 2 is late for the first collective because it waits for rank 3 in another one: being on time
// saves it nothing. A communicator joins ranks 0 and 2, another one ranks 2 and 3.
TEST_CASE("a rank that waits for others saves no more than its own time", "[ranks]") {
  auto ranks = test::drawn_ranks({"KRRRRRRRRR",  //
                                  "KGGGGGRRRR",  //
                                  "K...GG...."});
  for (auto& rank : ranks) rank.communicators.push_back({});
  ranks[0].communicators = {{1}, {2}};
  ranks[1].communicators = {{1}, {2}};
  ranks[2].communicators = {{1}, {2}};
  for (auto& rank : ranks) {
    for (auto& one : rank.collectives) {
      one.communicator = one.kind == CollectiveKind::all_gather ? 1 : 0;
    }
  }
  const DrawnRun run(std::move(ranks));
  REQUIRE(run.matches.collectives.size() == 2);
  CHECK(replay_run(run.program(), {.on_time = 1}) == 10);
  CHECK(replay_run(run.program(), {.on_time = 2}) == 7);
}

// The other stage has 8 of own time, this one 10. At 8, its steps take 4 instead of 5.
TEST_CASE("a stage of a pipeline on time works no longer than the others", "[ranks]") {
  const DrawnRun run({"KKKKSvvvvvvKKKKSvvvvvv",  //
                      "VVVVVKKKKKsVVVVVKKKKKs"});
  CHECK(replay_run(run.program(), {.on_time = 1}) == 20);
}

TEST_CASE("hidden transfers leave the waiting for other ranks", "[ranks]") {
  const DrawnRun run({"KKRRRRRRKKRRRR",  //
                      "KK..RRRRKKRRRR"});
  CHECK(replay_run(run.program(), {.hides_transfers = true}) == 14 - 4 - 4);
}

// Of six collectives of 2 in 17, the first is left.
TEST_CASE("merged collectives have no own time between them", "[ranks]") {
  const DrawnRun run({"KRR.RR.RR.RR.RR.RR.KKK",  //
                      "KRR.RR.RR.RR.RR.RR.KKK"});
  RunEdits edits;
  edits.merged.resize(6, 0);
  edits.merged[0].reset();
  CHECK(replay_run(run.program(), edits) == 22 - 15);
}

}  // namespace
}  // namespace lapscope::analyzer
