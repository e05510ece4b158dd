#include "analyzer/ranks/rank_clocks.h"

#include "tests/analyzer/ranks/drawn_ranks.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::drawn_rank;

// Returns two ranks on two hosts. The clock of the second host is `ahead` ns ahead.
std::vector<RankWork> on_two_hosts(Ns ahead) {
  std::vector<RankWork> ranks = {drawn_rank("0", "RRRR...RR.....RRRR"),
                                 drawn_rank("1", "..RR...RR.....RRRR", ahead)};
  ranks[1].host = "b";
  return ranks;
}

TEST_CASE("ranks of one host have one clock", "[ranks]") {
  const RankClocks clocks = rank_clocks(test::drawn_ranks({"RR..", "..RR"}));
  CHECK(clocks.lines[1].at(test::session_start) == 0);
  CHECK(clocks.error == 0);
  CHECK_FALSE(clocks.is_contradicted);
}

TEST_CASE("machines of one name are told apart by when they started", "[ranks]") {
  std::vector<RankWork> ranks = test::drawn_ranks({"RR", "RR", "RR", "RR", "RR"});
  constexpr Ns booted = test::session_start - 1'000'000'000'000;
  ranks[0].booted = booted;
  ranks[1].booted = booted + 5'000'000'000;
  ranks[2].booted = booted + 300;  // no two readings are equal
  ranks[3].booted = 0;             // not known
  ranks[4].booted = booted + 5'000'000'100;
  tell_hosts_apart(ranks);
  CHECK(ranks[0].host == "a");
  CHECK(ranks[1].host == "a (2)");
  CHECK(ranks[2].host == "a");
  CHECK(ranks[3].host == "a");
  CHECK(ranks[4].host == "a (2)");
}

// The shortest collective takes 2 ns on both ranks, so the offset is between -2 and 2 ns.
TEST_CASE("collectives bound the offset between hosts", "[ranks]") {
  for (const Ns ahead : {Ns{0}, Ns{1'000'000}, Ns{-3'600'000'000'000}}) {
    const RankClocks clocks = rank_clocks(on_two_hosts(ahead));
    INFO(ahead);
    CHECK(clocks.lines[0].at(test::session_start) == 0);
    CHECK(clocks.error == 2);
    CHECK(std::abs(clocks.lines[1].at(test::session_start + ahead) + ahead) <= clocks.error);
    CHECK_FALSE(clocks.is_contradicted);
    CHECK_FALSE(clocks.is_unknown);
  }
}

// The clocks of ranks 1 and 2 are compared only with the clock of rank 0, with an error of 2 ns
// each.
TEST_CASE("between two hosts that are not the first one, the errors add up", "[ranks]") {
  std::vector<RankWork> ranks = on_two_hosts(0);
  ranks.push_back(ranks[1]);
  ranks[2].host = "c";
  const RankClocks clocks = rank_clocks(ranks);
  CHECK(clocks.errors == std::vector<Ns>{0, 2, 2});
  CHECK(clocks.error == 4);
  CHECK(error_between(ranks, clocks.errors, 0, 1) == 2);
  CHECK(error_between(ranks, clocks.errors, 1, 2) == 4);
  CHECK(error_between(ranks, clocks.errors, 1, 1) == 0);
}

TEST_CASE("a clock that was set in the run contradicts every offset and drift", "[ranks]") {
  std::vector<RankWork> ranks = on_two_hosts(0);
  for (RankCollective& one : ranks[1].collectives) {
    if (one.interval.start < test::session_start + 10) continue;
    one.interval = {one.interval.start + 1'000, one.interval.end + 1'000};
  }
  CHECK(rank_clocks(ranks).is_contradicted);
}

// The clock of the second host gains 100 us per second. One collective of 100 us starts in each
// second.
TEST_CASE("the drift of a clock is corrected", "[ranks]") {
  std::vector<RankWork> ranks = on_two_hosts(0);
  for (RankWork& rank : ranks) rank.collectives.resize(1);
  const RankCollective one = ranks[0].collectives[0];
  const auto time = [](Ns ns) { return test::session_start + ns; };
  for (RankWork& rank : ranks) {
    rank.collectives.clear();
    const bool is_first = &rank == ranks.data();
    for (Ns second = 0; second < 10; ++second) {
      const Ns start = second * 1'000'000'000;
      const Ns gained = is_first ? 0 : second * 100'000;
      rank.collectives.push_back(one);
      rank.collectives.back().interval = {time(start + gained), time(start + 100'000 + gained)};
    }
    rank.whole = rank.judged = {rank.collectives.front().interval.start,
                                rank.collectives.back().interval.end};
    rank.other_work = {};
  }
  const RankClocks clocks = rank_clocks(ranks);
  CHECK_FALSE(clocks.is_contradicted);
  // Each collective bounds the difference between the clocks to 100 us above and below. The fitted
  // line may lie at one bound, and the true difference at the other bound, 200 us away.
  CHECK(clocks.error <= 200'000);
  move_to_common_clock(clocks, ranks);
  for (std::size_t c = 0; c < 10; ++c) {
    const Ns off = ranks[1].collectives[c].interval.start - ranks[0].collectives[c].interval.start;
    CHECK(std::abs(off) <= clocks.error);
  }
  CHECK(ranks[1].whole.end == ranks[1].collectives.back().interval.end);
}

// Ranks 0 and 2 exchange messages only with rank 1. Each rank has its own host.
TEST_CASE("a clock may be known by way of another host", "[ranks]") {
  std::vector<RankWork> ranks = {drawn_rank("0", "..SSSS..vvvv........"),
                                 drawn_rank("1", "....VV....ssSSS..vvv", 5'000),
                                 drawn_rank("2", ".............VV..sss", -3'000)};
  ranks[1].host = "b";
  ranks[2].host = "c";
  const RankClocks clocks = rank_clocks(ranks);
  CHECK_FALSE(clocks.is_unknown);
  CHECK_FALSE(clocks.is_contradicted);
  CHECK(clocks.error > 3);  // that of rank 1 alone is 3
  const Ns off = clocks.lines[2].at(test::session_start - 3'000) - 3'000;
  CHECK(std::abs(off) <= clocks.error);
}

TEST_CASE("a host without a collective with the first one has an unknown clock", "[ranks]") {
  std::vector<RankWork> ranks = on_two_hosts(0);
  ranks[1].collectives.clear();
  CHECK(rank_clocks(ranks).is_unknown);
}

// Times in ns, without `ahead`. Rank 0 sends from 2 on, and rank 1 receives until 6. So 6 + offset
// is at least 2. Rank 1 sends from 10 on, and rank 0 receives until 12. So 10 + offset is at
// most 12.
TEST_CASE("messages in both directions bound the offset between hosts", "[ranks]") {
  constexpr Ns ahead = 5'000;
  std::vector<RankWork> ranks = {drawn_rank("0", "..SSSS..vvvv"),
                                 drawn_rank("1", "....VV....ss", ahead)};
  ranks[1].host = "b";
  const RankClocks clocks = rank_clocks(ranks);
  CHECK_FALSE(clocks.is_unknown);
  CHECK(clocks.error == 3);
  CHECK(clocks.lines[1].at(test::session_start + ahead) == -ahead - 1);

  ranks[1].messages.pop_back();  // the message back
  ranks[0].messages.pop_back();
  CHECK(rank_clocks(ranks).is_unknown);
}

}  // namespace
}  // namespace lapscope::analyzer
