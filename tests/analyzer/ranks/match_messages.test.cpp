#include "analyzer/ranks/match_messages.h"

#include "tests/analyzer/ranks/drawn_ranks.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::drawn_ranks;

Matches exchanged(const std::vector<RankWork>& ranks) { return match_collectives(ranks); }

TEST_CASE("the k-th send is the k-th receive", "[ranks]") {
  //                                        0         1
  //                                        0123456789012
  const Matches matches = exchanged(drawn_ranks({"KKKSS.KKSS...",  //
                                                 "VVVVV.VVVV..."}));
  REQUIRE(matches.collectives.size() == 2);
  const MatchedCollective& first = matches.collectives[0];
  CHECK(first.kind == CollectiveKind::send_receive);
  CHECK(first.last().rank == 0);
  CHECK(first.members[1].ready == test::session_start + 3);
  CHECK(matches.unmatched == std::vector<std::int64_t>{0, 0});
  CHECK(matches.others == 0);
}

TEST_CASE("a send that ends before it is received waited for nobody", "[ranks]") {
  const Matches matches = exchanged(drawn_ranks({"SS......",  //
                                                 "....VV.."}));
  REQUIRE(matches.collectives.size() == 1);
  CHECK(matches.collectives[0].members[0].ready == test::session_start);
}

TEST_CASE("a receive that ends before the send begins is of one that was not recorded", "[ranks]") {
  const Matches matches = exchanged(drawn_ranks({"......SS",  //
                                                 "VV..VVVV"}));
  REQUIRE(matches.collectives.size() == 1);
  CHECK(matches.collectives[0].members[1].time.start == test::session_start + 4);
  CHECK(matches.unmatched == std::vector<std::int64_t>{0, 1});
}

// The first receive of rank 1 is missing. Each recorded receive starts at the end of the previous
// one, and waits for its send.
TEST_CASE("a send whose receive was not recorded has no counterpart", "[ranks]") {
  //                                              0         1         2
  //                                              012345678901234567890123
  const auto ranks = drawn_ranks({"KKKKSS.KKKKSS.KKKKSS.KKSS",  //
                                  ".......VVVVVV.VVVVVV.VVVV"});
  const Matches matches = exchanged(ranks);
  REQUIRE(matches.collectives.size() == 3);
  for (const MatchedCollective& one : matches.collectives) {
    CHECK(one.members[0].time.end == one.members[1].time.end);
  }
  CHECK(matches.unmatched == std::vector<std::int64_t>{1, 0});
}

// The first receive is missing. The first recorded receive begins during the first send.
TEST_CASE("a send belongs to the receive that it overlaps longest", "[ranks]") {
  const Matches matches = exchanged(drawn_ranks({"KSSSSSKSSSSSKSSSS",  //
                                                 ".....VVVVVVVKVVVV"}));
  REQUIRE(matches.collectives.size() == 2);
  CHECK(matches.collectives[0].members[0].time.start == test::session_start + 7);
  CHECK(matches.unmatched == std::vector<std::int64_t>{1, 0});
}

// The first receive and the last send were not recorded. So the trace has as many sends as
// receives.
TEST_CASE(
    "the k-th send is not the k-th receive if the first receive and the last send are missing",
    "[ranks]") {
  //                                              0         1         2
  //                                              012345678901234567890123
  const auto ranks = drawn_ranks({"KKKKSS.KKKKSS.KKKKSS.KKK",  //
                                  ".......VVVVVV.VVVVVV.VVV"});
  const Matches matches = exchanged(ranks);
  REQUIRE(matches.collectives.size() == 2);
  for (const MatchedCollective& one : matches.collectives) {
    CHECK(one.members[0].time.end == one.members[1].time.end);
  }
  CHECK(matches.unmatched == std::vector<std::int64_t>{1, 1});
}

TEST_CASE("the rank in the communicator is the one that its trace says", "[ranks]") {
  std::vector<RankWork> ranks = drawn_ranks({"SS", "VV"});
  ranks[0].communicators[0].rank = 1;  // the communicator has them in the other order
  ranks[1].communicators[0].rank = 0;
  ranks[0].messages[0].peer = 0;
  ranks[1].messages[0].peer = 1;
  CHECK(exchanged(ranks).collectives.size() == 1);
}

// Each of three ranks has one kernel. It sends to both other ranks, and receives from both.
TEST_CASE("kernels that exchange messages with each other are one collective", "[ranks]") {
  std::vector<RankWork> ranks = drawn_ranks({"SSSSSS", "..SSSS", ".SSSSS"});
  for (int r = 0; r < 3; ++r) {
    RankWork& rank = ranks[static_cast<std::size_t>(r)];
    rank.messages.clear();
    for (int peer = 0; peer < 3; ++peer) {
      if (peer == r) continue;
      rank.messages.push_back({0, 0, peer, true, 1});
      rank.messages.push_back({0, 0, peer, false, 1});
    }
  }
  const Matches matches = exchanged(ranks);
  REQUIRE(matches.collectives.size() == 1);
  CHECK(matches.collectives[0].members.size() == 3);
  CHECK(matches.collectives[0].members[0].ready == test::session_start + 2);
  CHECK(matches.collectives[0].members[1].ready == test::session_start + 2);
}

}  // namespace
}  // namespace lapscope::analyzer
