#include "analyzer/ranks/match_collectives.h"

#include "tests/analyzer/ranks/drawn_ranks.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::drawn_ranks;

Matches matched(const std::vector<RankWork>& ranks) { return match_collectives(ranks); }

TEST_CASE("the k-th kernel of a name on each rank is one collective", "[ranks]") {
  //                                   0         1
  //                                   0123456789012345
  const Matches matches = matched(drawn_ranks({"RRRRR..GG.RR....",  //
                                               "..RRR..GG.RR...."}));
  REQUIRE(matches.collectives.size() == 3);
  CHECK(matches.collectives[0].kind == CollectiveKind::all_reduce);
  CHECK(matches.collectives[0].last().rank == 1);
  CHECK(matches.collectives[0].last_start() == test::session_start + 2);
  CHECK(matches.collectives[0].end() == test::session_start + 5);
  CHECK(matches.collectives[1].kind == CollectiveKind::all_gather);
  CHECK(matches.unmatched == std::vector<std::int64_t>{0, 0});
}

TEST_CASE("a kernel that ends before another rank begins its own has no counterpart", "[ranks]") {
  //   rank 0 was recorded from the first collective on, rank 1 from the second
  const Matches matches = matched(drawn_ranks({"RR..RRRR..RR",  //
                                               "......RR..RR"}));
  REQUIRE(matches.collectives.size() == 2);
  CHECK(matches.collectives[0].members[0].time.start == test::session_start + 4);
  CHECK(matches.unmatched == std::vector<std::int64_t>{1, 0});
}

TEST_CASE("a collective that one rank never reaches has no counterpart", "[ranks]") {
  const Matches matches = matched(drawn_ranks({"RR..RRRRRRRR",  //
                                               "RR.........."}));
  CHECK(matches.collectives.size() == 1);
  CHECK(matches.unmatched == std::vector<std::int64_t>{1, 0});
}

TEST_CASE("kernels that need not join all ranks are counted and not matched", "[ranks]") {
  const Matches matches = matched(drawn_ranks({"BB..RR",  //
                                               ".BB.RR"}));
  CHECK(matches.collectives.size() == 1);
  CHECK(matches.others == 2);
}

// Makes three ranks and two communicators of two ranks each. Rank 1 is in both.
std::vector<RankWork> two_communicators() {
  std::vector<RankWork> ranks = drawn_ranks({"RRRR......",  //
                                             "..RR..RRRR",  //
                                             "........RR"});
  for (RankWork& rank : ranks) rank.communicators = {{.id = 70}, {.id = 71}};
  ranks[1].collectives[1].communicator = 1;
  ranks[2].collectives[0].communicator = 1;
  return ranks;
}

TEST_CASE("where communicators are told, only their ranks are matched", "[ranks]") {
  const Matches matches = matched(two_communicators());
  REQUIRE(matches.collectives.size() == 2);
  CHECK_FALSE(matches.by_stream);
  CHECK(matches.collectives[0].members.size() == 2);
  CHECK(matches.collectives[0].last().rank == 1);
  CHECK(matches.collectives[1].members[0].rank == 1);
  CHECK(matches.collectives[1].last().rank == 2);
  CHECK(matches.unmatched == std::vector<std::int64_t>{0, 0, 0});
}

TEST_CASE("a communicator of which one rank alone is there matches nothing", "[ranks]") {
  std::vector<RankWork> ranks = two_communicators();
  ranks.pop_back();
  const Matches matches = matched(ranks);
  CHECK(matches.collectives.size() == 1);
  CHECK(matches.unmatched == std::vector<std::int64_t>{0, 1});
}

TEST_CASE("a kernel that no payload tells of has the communicator of its stream", "[ranks]") {
  std::vector<RankWork> ranks = drawn_ranks({"RR.RR", "RR.RR"});
  for (RankWork& rank : ranks) {
    rank.communicators = {{.id = 70}, {}};
    for (RankCollective& one : rank.collectives) one.bytes = 8;
  }
  ranks[1].collectives[1].communicator = 1;  // launched by a graph
  ranks[1].collectives[1].bytes = 0;
  Matches matches = matched(ranks);
  CHECK_FALSE(matches.by_stream);
  CHECK(matches.collectives.size() == 2);

  ranks[1].communicators = {{}};  // no payload tells of any kernel of rank 1
  for (RankCollective& one : ranks[1].collectives) one = {one.interval, 0, 0, one.name, one.kind};
  matches = matched(ranks);
  CHECK(matches.by_stream);
  CHECK(matches.collectives.size() == 2);
}

// Ranks 0 and 1 are one group, 2 and 3 another one. The first kernels have no payload.
TEST_CASE("kernels without a payload do not join the kernels of two groups", "[ranks]") {
  std::vector<RankWork> ranks = drawn_ranks({"RR.RRRR........",  //
                                             "RR...RR........",  //
                                             "RR.......RRRR..",  //
                                             "RR.........RR.."});
  for (std::size_t r = 0; r < 4; ++r) {
    ranks[r].communicators = {{}, {.id = r < 2 ? 70 : 71}};
    ranks[r].collectives[1].communicator = 1;
  }
  const Matches matches = matched(ranks);
  CHECK_FALSE(matches.by_stream);
  REQUIRE(matches.collectives.size() == 4);
  CHECK(matches.collectives[2].members.size() == 2);
  CHECK(matches.collectives[3].members[0].rank == 2);
  CHECK(matches.unmatched == std::vector<std::int64_t>{0, 0, 0, 0});
}

// Ranks 0 and 1 form a group without payloads. Ranks 2 and 3 have the numbers 0 and 1 in another
// group.
TEST_CASE("ranks that a communicator has no room for are not joined to it", "[ranks]") {
  std::vector<RankWork> ranks = drawn_ranks({"RRRR....",  //
                                             ".RRR....",  //
                                             "....RRRR",  //
                                             ".....RRR"});
  for (std::size_t r = 2; r < 4; ++r) {
    ranks[r].communicators = {{.id = 71, .rank = static_cast<int>(r) - 2}};
  }
  const Matches matches = matched(ranks);
  CHECK(matches.by_stream);
  REQUIRE(matches.collectives.size() == 2);
  CHECK(matches.collectives[0].members.size() == 2);
  CHECK(matches.collectives[1].members[0].rank == 2);
  CHECK(matches.unmatched == std::vector<std::int64_t>{0, 0, 0, 0});
}

TEST_CASE("a kernel of a stream with several communicators is matched by stream", "[ranks]") {
  std::vector<RankWork> ranks = drawn_ranks({"RR.RR.RR", "RR.RR.RR"});
  for (RankWork& rank : ranks) {
    rank.communicators = {{.id = 70}, {.id = 71}, {}};
    for (std::uint32_t c = 0; c < 3; ++c) rank.collectives[c].communicator = c;
  }
  const Matches matches = matched(ranks);
  CHECK(matches.by_stream);
  CHECK(matches.collectives.size() == 3);
}

// By the clocks of the two hosts, the first kernel ends before the second one starts.
TEST_CASE("kernels that are apart by no more than the error of the clocks are one collective",
          "[ranks]") {
  std::vector<RankWork> ranks = drawn_ranks({"KK....", "RR....", "...RRR"});
  ranks[1].host = "b";
  ranks[2].host = "c";
  for (RankWork& rank : ranks) rank.communicators = {{.id = 70}};
  CHECK(match_collectives(ranks).collectives.empty());
  const std::vector<Ns> errors = {0, 1, 1};
  const Matches matches = match_collectives(ranks, errors);
  REQUIRE(matches.collectives.size() == 1);
  CHECK(matches.collectives[0].members[0].ready == matches.collectives[0].members[0].time.end);
  CHECK(matches.collectives[0].end() == matches.collectives[0].last_start());
}

TEST_CASE("collectives of different sizes are not one", "[ranks]") {
  std::vector<RankWork> ranks = drawn_ranks({"RRRR.RR", ".....RR"});
  for (RankWork& rank : ranks) rank.communicators = {{.id = 70}};
  ranks[0].collectives[0].bytes = 8;
  ranks[0].collectives[1].bytes = 16;
  ranks[1].collectives[0].bytes = 16;
  const Matches matches = matched(ranks);
  REQUIRE(matches.collectives.size() == 1);
  CHECK(matches.collectives[0].bytes == 16);
  CHECK(matches.unmatched == std::vector<std::int64_t>{1, 0});
}

TEST_CASE("the kind of a collective is in its kernel's name", "[ranks]") {
  CHECK(collective_kind("ncclDevKernel_AllReduce_Sum_f32_RING_LL(…)") ==
        CollectiveKind::all_reduce);
  CHECK(collective_kind("ncclDevKernel_AllGather_RING_LL") == CollectiveKind::all_gather);
  CHECK(collective_kind("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL") ==
        CollectiveKind::reduce_scatter);
  CHECK(collective_kind("cross_device_reduce_1stage") == CollectiveKind::all_reduce);
  CHECK(collective_kind("ncclDevKernel_SendRecv") == CollectiveKind::other);
  CHECK(collective_kind("ncclDevKernel_Reduce_Sum_f32_RING_LL") == CollectiveKind::other);
}

}  // namespace
}  // namespace lapscope::analyzer
