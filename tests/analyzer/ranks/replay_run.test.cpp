#include "analyzer/ranks/replay_run.h"

#include <random>

#include "tests/analyzer/ranks/drawn_run.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::DrawnRun;

// Returns whether a rank works at the end of the window.
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

// Merges every second collective into the one before. Some of the merged ones get a transfer of 0
// ns.
std::vector<std::optional<Ns>> every_second(const RunProgram& program) {
  std::vector<std::optional<Ns>> merged(program.matches->collectives.size());
  for (std::size_t c = 1; c < merged.size(); c += 2) {
    const MatchedCollective& one = program.matches->collectives[c];
    merged[c] = c % 3 == 0 ? 0 : std::max<Ns>(0, one.end() - one.last_start());
  }
  return merged;
}

TEST_CASE("no change makes a run longer", "[ranks][laws]") {
  std::mt19937 random(13);
  for (int round = 0; round < 300; ++round) {
    const DrawnRun run(test::random_ranks(random, 3, 60));
    const RunProgram program = run.program();
    const std::vector<Share> halved(program.matches->collectives.size(), 0.5);
    for (const bool bare : {false, true}) {
      const Ns unchanged = replay_run(program, {.without_recorder = bare});
      for (std::uint32_t rank = 0; rank < 3; ++rank) {
        const Ns at_start = replay_run(program, {.without_recorder = bare, .at_start = {rank}});
        REQUIRE(replay_run(program, {.without_recorder = bare, .on_time = {rank}}) <= at_start);
        if (!bare) REQUIRE(at_start == unchanged);
      }
      const std::vector<std::uint32_t> two = {0, 1};
      REQUIRE(replay_run(program, {.without_recorder = bare, .on_time = two}) <=
              replay_run(program, {.without_recorder = bare, .at_start = two}));
      REQUIRE(replay_run(program, {.without_recorder = bare, .exposed = halved}) <= unchanged);
      REQUIRE(replay_run(program, {.without_recorder = bare, .merged = every_second(program)}) <=
              unchanged);
    }
    REQUIRE(replay_run(program, {.without_recorder = true}) <= replay_run(program, {}));
  }
}

TEST_CASE("a run takes at least as long as each rank computes", "[ranks][laws]") {
  std::mt19937 random(14);
  for (int round = 0; round < 300; ++round) {
    const DrawnRun run(test::random_ranks(random, 3, 60));
    const RunProgram program = run.program();
    const std::vector<Share> all_hidden(program.matches->collectives.size(), 0);
    const Ns hidden = replay_run(program, {.exposed = all_hidden});
    const Ns merged = replay_run(program, {.merged = every_second(program)});
    for (std::size_t r = 0; r < 3; ++r) {
      REQUIRE(hidden >= run.time(r).computing);
      REQUIRE(merged >= run.time(r).computing);
    }
  }
}

TEST_CASE("a rank on time begins as early as the rank before it", "[ranks]") {
  const DrawnRun run({"KKRRRRRRRR.KKRRRRRRRR.",  //
                      "KK.....RRR.KK.....RRR."});
  CHECK(replay_run(run.program(), {.on_time = {1}}) == 12);
  CHECK(replay_run(run.program(), {.on_time = {0}}) == 22);
}

// Each rank's second all-reduce starts 10 ns after it is ready. In these 10 ns, the stream of the
// all-reduce runs nothing, and the all-gather runs in another stream.
TEST_CASE("in the replay, a kernel waits as long after it is ready as in the recording",
          "[ranks][laws]") {
  auto ranks = test::drawn_ranks({"KKRRRR..........................K",  //
                                  "KKRRRR..........................K"});
  for (std::size_t r = 0; r < 2; ++r) {
    RankWork& rank = ranks[r];
    const Ns begin = rank.whole.start;
    rank.communicators.push_back({{}, 1});
    const RankCollective first = rank.collectives[0];
    RankCollective gather = first;
    gather.name = 1;
    gather.kind = CollectiveKind::all_gather;
    gather.communicator = 1;
    gather.interval = {begin + 8, begin + 24};
    RankCollective second = first;
    second.interval = {begin + (r == 0 ? 20 : 18), begin + 30};
    second.lead = 10;
    rank.collectives = {first, gather, second};
  }
  const DrawnRun run(std::move(ranks));
  REQUIRE(run.matches.collectives.size() == 3);
  CHECK(replay_run(run.program(), {}) == 33);
  CHECK(replay_run(run.program(), {.at_start = {0}}) == 33);
  CHECK(replay_run(run.program(), {.on_time = {0}}) <= 33);
}

// The kernel of 0 ns is at the begin of the window.
TEST_CASE("a kernel without a length does not delay its rank", "[ranks][laws]") {
  auto ranks = test::drawn_ranks({"RRKKK", "RRKKK"});
  for (RankWork& rank : ranks) {
    rank.collectives[0].interval.end = rank.collectives[0].interval.start;
    rank.collectives[0].host_time = 7;
  }
  CHECK(replay_run(DrawnRun(std::move(ranks)).program(), {}) == 5);
}

// Rank 0 computes until 9 ns, beside R. If rank 1 is on time, R ends at 4 ns, and G starts when the
// data of G is ready. Without a lead, the data is ready when the computing ends: at 9 ns. G starts
// at 11 ns in the recording. With a lead of 5 ns, the data is ready 5 ns earlier than this start:
// at 6 ns.
TEST_CASE("a kernel starts when its data is ready and its stream is free", "[ranks]") {
  auto ranks = test::drawn_ranks({"KKRRRRRRRRRGGGK",  //
                                  "KK.......RRGGGK"});
  const Ns begin = ranks[0].whole.start;
  ranks[0].other_work = IntervalSet::union_of({{begin, begin + 9}, {begin + 14, begin + 15}});
  DrawnRun run(std::move(ranks));
  CHECK(replay_run(run.program(), {}) == 15);
  CHECK(replay_run(run.program(), {.on_time = {1}}) == 9 + 3 + 1);
  run.ranks[0].collectives[1].lead = 5;
  CHECK(replay_run(run.program(), {}) == 15);
  CHECK(replay_run(run.program(), {.on_time = {1}}) == 9 + 1);
}

// The host of rank 0 needs 6 ns to issue a collective. If rank 1 is on time, the pace of this host
// limits the run:
//
//   rank 0  KKRRR...RRR...RRR
//   rank 1  KKRRR...RRR...RRR
TEST_CASE("a rank begins no collective before its host has issued it", "[ranks]") {
  auto ranks = test::drawn_ranks({"KKRRRRRRRRRRRRRRRRRRRRRRRR",  //
                                  "KK.....RRR......RRR....RRR"});
  ranks[0].collectives = {};
  for (const Ns start : {2, 10, 19}) {
    RankCollective kernel = ranks[1].collectives[0];
    kernel.interval = {ranks[0].whole.start + start,
                       ranks[1].collectives[ranks[0].collectives.size()].interval.end};
    kernel.host_time = 6 * static_cast<Ns>(ranks[0].collectives.size());
    ranks[0].collectives.push_back(kernel);
  }
  DrawnRun run(std::move(ranks));
  CHECK(replay_run(run.program(), {}) == 26);
  CHECK(replay_run(run.program(), {.on_time = {1}}) == 2 + 2 * 6 + 3);

  // Recording added half of the host's time, but nothing to the time of the device.
  run.ranks[0].host_recorder_share = 0.5;
  CHECK(replay_run(run.program(), {.without_recorder = true, .on_time = {1}}) == 2 + 3 * 3);

  RunEdits edits{.on_time = {1}};
  edits.merged = {std::nullopt, 0, 0};  // nor need their hosts issue them
  CHECK(replay_run(run.program(), edits) == 2 + 3);
  for (RankCollective& kernel : run.ranks[0].collectives) kernel.host_time = 0;
  CHECK(replay_run(run.program(), {.on_time = {1}}) == 2 + 3 * 3);
}

// Rank 1 is late for its collective with rank 0, because it waits for rank 2 in another
// communicator. So the run is no shorter if only rank 1 is on time.
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
  CHECK(replay_run(run.program(), {.on_time = {1}}) == 10);
  CHECK(replay_run(run.program(), {.on_time = {2}}) == 7);
}

TEST_CASE("if several ranks are on time, they begin as early as the other ranks", "[ranks]") {
  const DrawnRun run({"KKRRRRRRKKRRRRRR",  //
                      "KKRRRRRRKKRRRRRR",  //
                      "KKKKKKRRKKKKKKRR",  //
                      "KKKKKKRRKKKKKKRR"});
  CHECK(replay_run(run.program(), {.on_time = {2}}) == 16);
  CHECK(replay_run(run.program(), {.on_time = {2, 3}}) == 8);
  CHECK(replay_run(run.program(), {.at_start = {2, 3}}) == 16);
}

// Only ranks 2 and 3 take part in the all-gather G.
TEST_CASE("late ranks can be on time even if they have a collective without the other ranks",
          "[ranks]") {
  auto ranks = test::drawn_ranks({"KKRRRRRRRKKRRRRRRR",  //
                                  "KKRRRRRRRKKRRRRRRR",  //
                                  "KKKGKKKRRKKKGKKKRR",  //
                                  "KKKGKKKRRKKKGKKKRR"});
  for (std::size_t r = 0; r < 4; ++r) {
    ranks[r].communicators = {{1}, {2}};
    for (auto& one : ranks[r].collectives) {
      one.communicator = one.kind == CollectiveKind::all_gather ? 1 : 0;
    }
  }
  const DrawnRun run(std::move(ranks));
  REQUIRE(run.matches.collectives.size() == 4);
  CHECK(replay_run(run.program(), {.on_time = {2, 3}}) == 8);
}

// Makes three ranks. The only kernel of a rank sends to both other ranks and receives from both.
std::vector<RankWork> all_to_all(std::initializer_list<std::string_view> pictures) {
  std::vector<RankWork> ranks = test::drawn_ranks(pictures);
  for (int r = 0; r < 3; ++r) {
    RankWork& rank = ranks[static_cast<std::size_t>(r)];
    rank.communicators[0].id = 7;
    for (std::uint32_t c = 0; c < rank.collectives.size(); ++c) {
      rank.collectives[c].kind = CollectiveKind::send_receive;
      for (int peer = 0; peer < 3; ++peer) {
        if (peer == r) continue;
        rank.messages.push_back({c, 0, peer, true, 1});
        rank.messages.push_back({c, 0, peer, false, 1});
      }
    }
  }
  return ranks;
}

TEST_CASE("a rank on time is in time for an exchange of several ranks, too", "[ranks]") {
  const DrawnRun run(all_to_all({"KRRRRRRRKRRRRRRR",  //
                                 "KRRRRRRRKRRRRRRR",  //
                                 "KKKKKKRRKKKKKKRR"}));
  REQUIRE(run.matches.collectives.size() == 2);
  CHECK(replay_run(run.program(), {.on_time = {2}}) == 6);
}

// Ranks 0 and 1 are stage 0, and ranks 2 and 3 are stage 1. At the end, each stage runs an
// all-reduce.
TEST_CASE("all ranks of a stage are on time", "[ranks]") {
  auto ranks = test::drawn_ranks({"KKSvvvvvKKSvvvvvR",  //
                                  "KKSvvvvvKKSvvvvvR",  //
                                  "VVVKKKKsVVVKKKKsR",  //
                                  "VVVKKKKsVVVKKKKsR"});
  for (std::size_t r = 0; r < 4; ++r) {
    for (RankMessage& message : ranks[r].messages) message.peer = (static_cast<int>(r) + 2) % 4;
    ranks[r].communicators.push_back({100 + r / 2});
    ranks[r].collectives.back().communicator = 1;
  }
  const DrawnRun run(std::move(ranks));
  REQUIRE(run.matches.collectives.size() == 8 + 2);
  CHECK(replay_run(run.program(), {}) == 17);
  CHECK(replay_run(run.program(), {.on_time = {2}}) == 13);
  CHECK(replay_run(run.program(), {.on_time = {3}}) == 13);
}

TEST_CASE("if a stage of a pipeline is on time, it works no longer than the others", "[ranks]") {
  const DrawnRun run({"KKKKSvvvvvvKKKKSvvvvvv",  //
                      "VVVVVKKKKKsVVVVVKKKKKs"});
  CHECK(replay_run(run.program(), {.on_time = {1}}) == 20);
}

// Rank 0 computes for 8 ns beside its all-reduce, which waits for rank 1. If rank 1 is on time, the
// all-reduce waits no longer, and this work takes half as long.
TEST_CASE("a rank that no longer waits computes faster beside its collective", "[ranks][laws]") {
  auto ranks = test::drawn_ranks({"KKRRRRRRRRRRRR",  //
                                  "KK........RRRR"});
  const Ns start = ranks[0].whole.start;
  ranks[0].other_work =
      unite(ranks[0].other_work, IntervalSet::union_of({{start + 2, start + 10}}));
  ranks[0].lost = {0.25, 0.5};
  const DrawnRun run(std::move(ranks));
  CHECK(replay_run(run.program(), {.on_time = {1}}) == 2 + 8);
  CHECK(replay_run(run.program(), {.on_time = {1}, .frees_multiprocessors = true}) == 2 + 4);
}

TEST_CASE("if transfers are hidden, ranks still wait for other ranks", "[ranks]") {
  const DrawnRun run({"KKRRRRRRKKRRRR",  //
                      "KK..RRRRKKRRRR"});
  CHECK(replay_run(run.program(), {.exposed = {0, 0}}) == 14 - 4 - 4);
  CHECK(replay_run(run.program(), {.exposed = {0.5, 0}}) == 14 - 2 - 4);
  CHECK(replay_run(run.program(), {.exposed = {1, 1}}) == 14);
}

TEST_CASE("merged collectives have no own time between them", "[ranks]") {
  const DrawnRun run({"KRR.RR.RR.RR.RR.RR.KKK",  //
                      "KRR.RR.RR.RR.RR.RR.KKK"});
  RunEdits edits;
  edits.merged.resize(6, 0);
  edits.merged[0].reset();
  CHECK(replay_run(run.program(), edits) == 22 - 15);
}

// Recording added 4 ns to the own time of rank 0, and nothing to the own time of rank 1.
TEST_CASE("the own time of a rank is shorter by the time that recording added", "[ranks]") {
  auto ranks = test::drawn_ranks({"KKKKKKKKRR",  //
                                  "KKRRRRRRRR"});
  ranks[0].recorder_share = 0.5;
  ranks[0].host_recorder_share = 0.5;
  const DrawnRun run(std::move(ranks));
  CHECK(replay_run(run.program(), {.without_recorder = true}) == 6);
  CHECK(replay_run(run.program(), {.without_recorder = true, .on_time = {0}}) == 4);
}

}  // namespace
}  // namespace lapscope::analyzer
