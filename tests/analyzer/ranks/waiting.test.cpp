#include "analyzer/ranks/waiting.h"

#include <random>

#include "tests/analyzer/ranks/drawn_run.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using Run = test::DrawnRun;

TEST_CASE("a rank waits until the last one has begun, and transfers from then on", "[ranks]") {
  //             0         1
  //             01234567890
  const Run run({"KKRRRRRRRR.",  // waits [2,7), transfers [7,10)
                 "KK.....RRR."});
  const RankTime early = run.time(0);
  CHECK(early.computing == 2);
  CHECK(early.waiting == 5);
  CHECK(early.transferring == 3);
  CHECK(early.idle == 1);
  const RankTime late = run.time(1);
  CHECK(late.computing == 2);
  CHECK(late.waiting == 0);
  CHECK(late.transferring == 3);
  CHECK(late.idle == 6);
}

TEST_CASE("stages of a pipeline wait for each other's messages", "[ranks]") {
  //             0         1
  //             01234567890123
  const Run run({"KKKSvvvvvvKKK.",  // sends forward, waits for what comes back
                 "VVVVKKKKKs...."});
  const RankTime first = run.time(0);
  CHECK(first.computing == 6);
  CHECK(first.waiting == 5);
  CHECK(first.for_messages == 5);
  CHECK(first.transferring == 2);
  const RankTime second = run.time(1);
  CHECK(second.waiting == 3);
  CHECK(second.for_messages == 3);
  CHECK(second.computing == 5);
  const auto late = lateness(run.ranks, run.matches, run.window, {});
  CHECK(late[0].sum == 3);
  CHECK(late[1].sum == 5);
}

// Each kernel both sends and receives, as in an all-to-all of two ranks.
TEST_CASE("two ranks that exchange data are no stages of a pipeline", "[ranks]") {
  auto ranks = test::drawn_ranks({"KKSSSSKKSSSS",  //
                                  "KKKKssKKKKss"});
  for (RankWork& rank : ranks) {
    for (const RankMessage& one : std::vector(rank.messages)) {
      RankMessage back = one;
      back.is_send = !one.is_send;
      rank.messages.push_back(back);
    }
    std::ranges::stable_sort(rank.messages, {}, &RankMessage::collective);
  }
  const Run run(std::move(ranks));
  REQUIRE(run.matches.collectives.size() == 2);
  CHECK_FALSE(run.matches.collectives[0].is_pair);
  CHECK(run.time(0).waiting == 4);
  CHECK(run.time(0).for_messages == 0);
}

// The schedule is one-forward-one-backward. The first kernel of each rank only sends or only
// receives. The second kernel does both.
TEST_CASE("two stages of a pipeline may also send and receive in one kernel", "[ranks]") {
  auto ranks = test::drawn_ranks({"KKSSSSKKSSSS",  //
                                  "VVVVVVKKKKss"});
  for (RankWork& rank : ranks) {
    RankMessage back = rank.messages.back();
    back.is_send = !back.is_send;
    rank.messages.push_back(back);
  }
  const Run run(std::move(ranks));
  REQUIRE(run.matches.collectives.size() == 2);
  CHECK(run.matches.collectives[0].is_pair);
  CHECK(run.matches.collectives[1].is_pair);
  CHECK(run.time(0).for_messages == 2);
}

TEST_CASE("a rank alone shows no other rank to transfer to", "[ranks]") {
  const Run run({"KKRRRRK"});
  CHECK(run.time(0).other_communication == 4);
  CHECK(run.time(0).transferring == 0);
}

TEST_CASE("communication whose other end is not known is neither", "[ranks]") {
  const Run run({"BBB.RR",  //
                 "....RR"});
  CHECK(run.time(0).other_communication == 3);
  CHECK(run.time(0).transferring == 2);
}

TEST_CASE("the parts of every rank sum to the window", "[ranks][laws]") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::vector<RankWork> ranks = test::random_ranks(random, 3, 60);
    const Matches matches = match_collectives(ranks);
    const Interval window{test::session_start + 5, test::session_start + 50};
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      const auto members = members_by_rank(matches, ranks.size());
      const RankTime time = rank_states(ranks, r, members[r], window).in(window);
      REQUIRE(time.sum() == window.length());
      REQUIRE(time.idle >= 0);
      REQUIRE(time.computing == ranks[r].other_work.length_in(window));
    }
    for (const MatchedCollective& one : matches.collectives) {
      if (!joins_all(one.kind)) continue;
      for (const auto& member : one.members) REQUIRE(member.time.end > one.last_start());
    }
  }
}

TEST_CASE("a rank is late by what the rank that began before it waits", "[ranks]") {
  //             012345678901
  const Run run({"RRRRRRRR....",  //
                 "..RRRRRR....",  // waits [2,5) for rank 2
                 ".....RRR...."});
  const auto late = lateness(run.ranks, run.matches, run.window, {});
  CHECK(late[0].last == 0);
  CHECK(late[2].last == 1);
  CHECK(late[2].sum == 3);
}

TEST_CASE("ranks are late together if the gap to the others exceeds the error of the clocks",
          "[ranks]") {
  Run run({"RRRRRR",  //
           "RRRRRR",  //
           "..RRRR",  //
           "..RRRR"});
  const auto late = [&run](const std::vector<Ns>& errors) {
    return late_ranks(run.ranks, run.matches, run.window, errors);
  };
  CHECK(late({0, 0, 2, 2}) == std::vector<std::uint32_t>{2, 3});
  run.ranks[2].host = run.ranks[3].host = "b";
  CHECK(late({0, 0, 1, 1}) == std::vector<std::uint32_t>{2, 3});
  CHECK(late({0, 0, 2, 2}).empty());
}

TEST_CASE("between hosts, lateness below the error of the clocks is none", "[ranks]") {
  Run run({"RRRRRR",  //
           "..RRRR"});
  const auto times_last = [&run](const std::vector<Ns>& errors) {
    return lateness(run.ranks, run.matches, run.window, errors)[1].last;
  };
  CHECK(times_last({0, 2}) == 1);
  run.ranks[1].host = "b";
  CHECK(times_last({0, 2}) == 0);
  CHECK(times_last({0, 1}) == 1);
  run.ranks[0].host = "c";  // the errors of two hosts that are not the first one add up
  CHECK(times_last({1, 1}) == 0);
}

TEST_CASE("collectives in a row could be one", "[ranks]") {
  //   six collectives of 2 ns in a row take 17 ns; merged into one, they take 2 ns
  //             0         1         2
  //             012345678901234567890123
  const Run row({"KRR.RR.RR.RR.RR.RR.KKK",  //
                 "KRR.RR.RR.RR.RR.RR.KKK"});
  const SmallCollectives small = small_collectives(row.ranks, row.matches, row.window);
  CHECK(small.collectives == 6);
  CHECK(small.row_ns == 17);
  CHECK_FALSE(small.merged[0]);
  CHECK(small.merged[1] == 0);
}

TEST_CASE("a collective of another group of a rank ends its row", "[ranks]") {
  std::vector<RankWork> ranks = test::drawn_ranks({"RR.RR.GG.RR.RR", "RR.RR.GG.RR.RR"});
  for (RankWork& rank : ranks) {
    rank.communicators = {{.id = 70}, {.id = 71}};
    rank.collectives[2].communicator = 1;
  }
  const Run row(std::move(ranks));
  CHECK(small_collectives(row.ranks, row.matches, row.window).collectives == 0);
}

TEST_CASE("long transfers in a row are as long in one", "[ranks]") {
  //   the quickest collective takes 1 ns; the others take 5 ns, 4 ns of it for their data
  const Run row({"R.RRRRR.RRRRR.RRRRR.RRRRR.RRRRR.",  //
                 "R.RRRRR.RRRRR.RRRRR.RRRRR.RRRRR."});
  const SmallCollectives small = small_collectives(row.ranks, row.matches, row.window);
  CHECK(small.collectives == 6);
  CHECK(small.merged[1] == 4);
}

// Ranks 0 and 1 have a row of collectives. Ranks 2 and 3 have another one at the same time.
TEST_CASE("rows of several groups of ranks do not end each other", "[ranks]") {
  auto ranks = test::drawn_ranks({"KRR.RR.RR.RR.RR.RR.KKK",  //
                                  "KRR.RR.RR.RR.RR.RR.KKK",  //
                                  "K.RR.RR.RR.RR.RR.RRKKK",  //
                                  "K.RR.RR.RR.RR.RR.RRKKK"});
  for (std::size_t r = 0; r < 4; ++r) ranks[r].communicators = {{1 + r / 2}};
  const Run row(std::move(ranks));
  REQUIRE(row.matches.collectives.size() == 12);
  const SmallCollectives small = small_collectives(row.ranks, row.matches, row.window);
  CHECK(small.collectives == 12);
  CHECK(small.row_ns == 18);
}

TEST_CASE("collectives with kernels between them are in no row", "[ranks]") {
  const Run row({"RRKRRKRRKRRKRRKRRK",  //
                 "RRKRRKRRKRRKRRKRRK"});
  CHECK(small_collectives(row.ranks, row.matches, row.window).collectives == 0);
}

}  // namespace
}  // namespace lapscope::analyzer
