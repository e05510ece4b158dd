#include "analyzer/ranks/rank_clocks.h"

#include "tests/analyzer/ranks/drawn_ranks.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::drawn_rank;

// The same run, with the second rank on another host whose clock is ahead.
std::vector<RankWork> on_two_hosts(Ns ahead) {
  std::vector<RankWork> ranks = {drawn_rank("0", "RRRR...RR.....RRRR"),
                                 drawn_rank("1", "..RR...RR.....RRRR", ahead)};
  ranks[1].host = "b";
  return ranks;
}

TEST_CASE("ranks of one host have one clock", "[ranks]") {
  const RankClocks clocks = rank_clocks(test::drawn_ranks({"RR..", "..RR"}));
  CHECK(clocks.offsets == std::vector<Ns>{0, 0});
  CHECK(clocks.error == 0);
  CHECK_FALSE(clocks.is_contradicted);
}

// The shortest collective, [7,9) on both, leaves an offset of -2 to 2 open.
TEST_CASE("collectives bound the offset between hosts", "[ranks]") {
  for (const Ns ahead : {Ns{0}, Ns{1'000'000}, Ns{-3'600'000'000'000}}) {
    const RankClocks clocks = rank_clocks(on_two_hosts(ahead));
    INFO(ahead);
    CHECK(clocks.offsets[0] == 0);
    CHECK(clocks.error == 2);
    CHECK(std::abs(clocks.offsets[1] + ahead) <= clocks.error);
    CHECK_FALSE(clocks.is_contradicted);
    CHECK_FALSE(clocks.is_unknown);
  }
}

TEST_CASE("a clock that was set in the run contradicts every offset", "[ranks]") {
  std::vector<RankWork> ranks = on_two_hosts(0);
  for (RankCollective& one : ranks[1].collectives) {
    if (one.interval.start < test::session_start + 10) continue;
    one.interval = {one.interval.start + 1'000, one.interval.end + 1'000};
  }
  CHECK(rank_clocks(ranks).is_contradicted);
}

TEST_CASE("a host without a collective with the first one has an unknown clock", "[ranks]") {
  std::vector<RankWork> ranks = on_two_hosts(0);
  ranks[1].collectives.clear();
  CHECK(rank_clocks(ranks).is_unknown);
}

}  // namespace
}  // namespace lapscope::analyzer
