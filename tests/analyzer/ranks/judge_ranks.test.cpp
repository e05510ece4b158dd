#include "analyzer/ranks/judge_ranks.h"

#include <limits>

#include "tests/analyzer/ranks/drawn_ranks.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::drawn_rank;
using test::drawn_ranks;

std::vector<std::string> codes_of(const std::vector<RunDefectRow>& defects) {
  std::vector<std::string> codes;
  for (const RunDefectRow& row : defects) codes.emplace_back(code_of(row.defect));
  return codes;
}

const RunFinding* finding_of(const std::vector<RunFinding>& findings, RunCause cause) {
  for (const RunFinding& one : findings) {
    if (one.cause == cause) return &one;
  }
  return nullptr;
}

TEST_CASE("a rank whose host is late is the straggler", "[ranks]") {
  const RunResult run = judge_ranks(drawn_ranks({"KKRRRRRRRKKRRRRRRR",  //
                                                 "KK.....RRKK.....RR"}));
  CHECK(run.defects.empty());
  CHECK(run.collectives == 2);
  REQUIRE(run.findings.size() == 1);
  const RunFinding& first = run.findings[0];
  CHECK(first.cause == RunCause::straggler);
  CHECK(first.ranks == std::vector<std::uint32_t>{1});
  CHECK(first.count == 2);
  CHECK(first.saving == 10);
  CHECK(first.most_saving == 10);
  CHECK(first.late_by == LateBy::idle);
  CHECK(first.excess == 10);
  CHECK(verdict_of(run) == Verdict::findings);
}

TEST_CASE("a rank whose kernels or copies take longer is late by computing", "[ranks]") {
  const RunResult run = judge_ranks(drawn_ranks({"KKRRRRRRRKKRRRRRRR",  //
                                                 "KKKKKKKRRKKKKKKKRR"}));
  REQUIRE(run.findings.size() == 1);
  CHECK(run.findings[0].late_by == LateBy::computing);
  CHECK(run.findings[0].excess == 10);
}

TEST_CASE("ranks that are late by turns have no cause of their own", "[ranks]") {
  const RunResult run = judge_ranks(drawn_ranks({"KKRRRRRRRKK.....RR",  //
                                                 "KK.....RRKKRRRRRRR"}));
  REQUIRE(run.findings.size() == 2);
  CHECK(run.findings[0].late_by == LateBy::turns);
  CHECK(run.findings[1].late_by == LateBy::turns);
}

// Ranks 2 and 3 begin each collective 5 ns later than the others. If only one of them were on time,
// nothing would be saved.
TEST_CASE("ranks that are late together are one straggler", "[ranks]") {
  const RunResult run = judge_ranks(drawn_ranks({"KKRRRRRRRKKRRRRRRR",  //
                                                 "KKRRRRRRRKKRRRRRRR",  //
                                                 "KKKKKKKRRKKKKKKKRR",  //
                                                 "KKKKKKKRRKKKKKKKRR"}));
  REQUIRE(run.findings.size() == 1);
  CHECK(run.findings[0].cause == RunCause::straggler);
  CHECK(run.findings[0].ranks == std::vector<std::uint32_t>{2, 3});
  CHECK(run.findings[0].count == 2);
  CHECK(run.findings[0].saving == 10);
  CHECK(run.findings[0].late_by == LateBy::computing);
  CHECK(run.findings[0].excess == 10);
}

// Each rank is late in one of three steps. No rank and no group of ranks is late in all steps, so
// there is no finding.
TEST_CASE("if ranks wait, but no finding explains these waits, savings are possible", "[ranks]") {
  const RunResult run = judge_ranks(drawn_ranks({"KKKKRRKKRRRRKKRRRR",  //
                                                 "KKRRRRKKKKRRKKRRRR",  //
                                                 "KKRRRRKKRRRRKKKKRR"}),
                                    0.2);
  CHECK(run.findings.empty());
  CHECK(unexplained_waits(run, 0.2) > 0.2);
  CHECK(verdict_of(run) == Verdict::possible);
}

TEST_CASE("stages that wait by turns are a pipeline's bubble", "[ranks]") {
  //                                            0         1         2
  //                                            0123456789012345678901
  const RunResult run = judge_ranks(drawn_ranks({"KKKKSvvvvvvKKKKSvvvvvv",  //
                                                 "VVVVVKKKKKsVVVVVKKKKKs"}));
  CHECK(run.exchanges == 4);
  CHECK(run.collectives == 0);
  REQUIRE(run.findings.size() == 2);
  const RunFinding& bubble = run.findings[0];
  CHECK(bubble.cause == RunCause::pipeline_bubble);
  CHECK(bubble.bubble == 8);  // rank 1 waits for 4 of each step, rank 0 for 5
  CHECK(bubble.saving == 4);
  CHECK(bubble.ranks == std::vector<std::uint32_t>{0});
  const RunFinding& slower = run.findings[1];
  CHECK(slower.cause == RunCause::straggler);
  CHECK(slower.ranks == std::vector<std::uint32_t>{1});
  CHECK(slower.saving == 2);
}

// Rank 0 computes for 3 ns, and rank 1 for 6 ns. If rank 1 also computed for 3 ns, each of its two
// kernels would take 1.5 ns, rounded to 2 ns.
TEST_CASE("a stage that is slower than the others is the straggler", "[ranks]") {
  const RunResult run = judge_ranks(drawn_ranks({"KSKSSSKSSS",  //
                                                 "VVKKKVKKKV"}));
  REQUIRE_FALSE(run.findings.empty());
  CHECK(run.findings[0].cause == RunCause::straggler);
  CHECK(run.findings[0].ranks == std::vector<std::uint32_t>{1});
  CHECK(run.findings[0].saving == 2);
  CHECK(run.findings[0].late_by == LateBy::computing);
}

TEST_CASE("what recording added to a rank is no saving", "[ranks]") {
  auto ranks = drawn_ranks({"KKRRRRRRRKKRRRRRRR",  //
                            "KK.....RRKK.....RR"});
  ranks[1].recorder_share = 4.0 / 18;
  const RunResult run = judge_ranks(std::move(ranks));
  REQUIRE(run.findings.size() == 1);
  CHECK(run.findings[0].saving == 6);
  CHECK(run.findings[0].most_saving == 10);
}

TEST_CASE("transfers beside which no rank computes are a question", "[ranks]") {
  const RunResult run = judge_ranks(drawn_ranks({"KKKKKKRRRRKKKKKKRRRR",  //
                                                 "KKKKKKRRRRKKKKKKRRRR"}));
  CHECK(run.findings.empty());
  const RunFinding* exposed = finding_of(run.questions, RunCause::exposed_communication);
  REQUIRE(exposed != nullptr);
  CHECK(exposed->most_saving == 8);
  CHECK(exposed->saving == 12 - 8);  // if each half is transferred as long as the whole
  CHECK(verdict_of(run) == Verdict::possible);
  CHECK(first_of(run) == exposed);
}

// Kernels beside a transfer lose one to two fifths of the transfer's time. This part of the time is
// not saved. The ranks compute after each all-reduce, so their work may have to be divided into
// halves. Then kernels lose twice as much: up to four fifths of the 20 ns of transfers.
TEST_CASE("the time that kernels lose beside a transfer is not saved", "[ranks]") {
  auto ranks = drawn_ranks({"KKKKKKKKKKKKRRRRRRRRRRKKKKKKKKKKKKRRRRRRRRRRK",  //
                            "KKKKKKKKKKKKRRRRRRRRRRKKKKKKKKKKKKRRRRRRRRRRK"});
  ranks[0].lost = {0.2, 0.4};
  ranks[1].lost = {0.3, 0.3};
  RunResult run = judge_ranks(ranks);
  const RunFinding* exposed = finding_of(run.questions, RunCause::exposed_communication);
  REQUIRE(exposed != nullptr);
  CHECK(exposed->most_saving == 16);
  CHECK(exposed->saving == 4);

  // In the worst case, nothing is saved. The question is shown nevertheless.
  ranks[0].lost = {0.2, 0.5};
  run = judge_ranks(ranks);
  exposed = finding_of(run.questions, RunCause::exposed_communication);
  REQUIRE(exposed != nullptr);
  CHECK(exposed->most_saving == 16);
  CHECK(exposed->saving == 0);
}

// The ranks compute after the second all-reduce, so in the worst case four fifths of its 10 ns are
// not saved. No rank computes right after the first all-reduce, so only two fifths are not saved.
TEST_CASE("more is saved of a transfer if no rank computes right after it", "[ranks]") {
  auto ranks = drawn_ranks({"KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKRRRRRRRRRR.RRRRRRRRRRK",  //
                            "KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKRRRRRRRRRR.RRRRRRRRRRK"});
  ranks[0].lost = {0.2, 0.4};
  const RunResult run = judge_ranks(std::move(ranks));
  const RunFinding* exposed = finding_of(run.questions, RunCause::exposed_communication);
  REQUIRE(exposed != nullptr);
  CHECK(exposed->saving == 6 + 2);
}

// In the worst case, half of a transfer takes as long as the whole transfer: 10 ns. The two halves
// then take 10 ns longer than the whole, but computing hides at most 4 ns of them. Nothing is
// saved.
TEST_CASE("transfers that are longer than the computing may save nothing", "[ranks]") {
  const RunResult run = judge_ranks(drawn_ranks({"KKKKRRRRRRRRRRKKKKRRRRRRRRRRK",  //
                                                 "KKKKRRRRRRRRRRKKKKRRRRRRRRRRK"}));
  const RunFinding* exposed = finding_of(run.questions, RunCause::exposed_communication);
  REQUIRE(exposed != nullptr);
  CHECK(exposed->most_saving == 9);
  CHECK(exposed->saving == 0);
}

// The finding, for rank 1, saves 10 ns. The question saves 0 to 16 ns: 8 ns in the middle of this
// range.
TEST_CASE("the finding or question whose range of savings has the greatest middle comes first",
          "[ranks]") {
  auto ranks = drawn_ranks({"KKKKKKKKKRRRRRRRRRRRRRKKKKKKKKKRRRRRRRRRRRRRK",  //
                            "KKKKKKKKK.....RRRRRRRRKKKKKKKKK.....RRRRRRRRK"});
  for (RankWork& rank : ranks) rank.lost = {0, 0.5};
  const RunResult run = judge_ranks(std::move(ranks));
  REQUIRE(run.questions.size() == 1);
  CHECK(run.questions[0].saving == 0);
  CHECK(run.questions[0].most_saving == 16);
  REQUIRE(run.findings.size() == 1);
  CHECK(run.findings[0].saving == 10);
  CHECK(first_of(run) == &run.findings[0]);
}

TEST_CASE("nothing is found where communication is hidden and nobody waits", "[ranks]") {
  auto ranks = drawn_ranks({"KKKKKKKKKK",  //
                            "KKKKKKKKKK"});
  for (RankWork& rank : ranks) {
    rank.collectives = {{{test::session_start + 4, test::session_start + 8}, 0, 0}};
  }
  const RunResult run = judge_ranks(std::move(ranks));
  CHECK(run.findings.empty());
  CHECK(run.questions.empty());
  CHECK(verdict_of(run) == Verdict::ok);
}

TEST_CASE("a rank that is missing, or there twice, makes the run inconclusive", "[ranks]") {
  RunResult run = judge_ranks({drawn_rank("0", "RR"), drawn_rank("2", "RR")});
  REQUIRE(codes_of(run.defects) == std::vector<std::string>{"rank-missing"});
  CHECK(run.defects[0].which == std::vector<std::string>{"1"});
  CHECK(verdict_of(run) == Verdict::inconclusive);

  RankWork again = drawn_rank("1", "RR");
  again.file = "another.sqlite";
  run = judge_ranks({drawn_rank("0", "RR"), drawn_rank("1", "RR"), std::move(again)});
  CHECK(codes_of(run.defects) == std::vector<std::string>{"rank-twice"});

  RankWork of_four = drawn_rank("0", "RR");
  of_four.ranks = 4;  // the launcher said so
  run = judge_ranks({std::move(of_four), drawn_rank("1", "RR")});
  CHECK(run.defects[0].which == std::vector<std::string>{"2", "3"});
}

TEST_CASE("a rank that several summaries of one trace have is there twice", "[ranks]") {
  const RankWork copied = drawn_rank("1", "RR");
  RunResult run = judge_ranks({drawn_rank("0", "RR"), copied, copied});
  REQUIRE(codes_of(run.defects) == std::vector<std::string>{"rank-twice"});
  CHECK(run.defects[0].which == std::vector<std::string>{"1"});

  // Two machines may have traces with the same name.
  RankWork elsewhere = copied;
  elsewhere.host = "b";
  run = judge_ranks({drawn_rank("0", "RR"), copied, elsewhere});
  CHECK(codes_of(run.defects) == std::vector<std::string>{"rank-twice"});
  RankWork unnumbered = drawn_rank("", "RR");
  elsewhere = unnumbered;
  elsewhere.host = "b";
  CHECK(judge_ranks({unnumbered, elsewhere}).defects.empty());
  run = judge_ranks({unnumbered, unnumbered});
  REQUIRE(codes_of(run.defects) == std::vector<std::string>{"rank-twice"});
  CHECK(run.defects[0].which == std::vector<std::string>{".sqlite"});
}

// Rank 1 seems late, because the clock of its machine is 3 ns ahead.
TEST_CASE("two machines of one name have two clocks", "[ranks]") {
  const std::string_view picture = "KKRRRRRRRRKKRRRRRRRRKKRRRRRRRR";
  std::vector<RankWork> ranks = {drawn_rank("0", picture), drawn_rank("1", picture, 3)};
  CHECK(judge_ranks(ranks).findings.size() == 1);
  ranks[0].booted = 1'000'000'000;
  ranks[1].booted = 9'000'000'000;
  const RunResult run = judge_ranks(ranks);
  CHECK(run.findings.empty());
  CHECK(run.clock_error > 0);
  CHECK(run.ranks[1].host == "a (2)");
}

TEST_CASE("a rank without GPU work is there, and makes the run inconclusive", "[ranks]") {
  RankWork of_two = drawn_rank("0", "RR");
  of_two.ranks = 2;
  const std::vector<std::string> without_work = {"1", "0", ""};  // and launchers
  const RunResult run = judge_ranks({of_two}, assumed::least_saving, without_work);
  REQUIRE(codes_of(run.defects) == std::vector<std::string>{"rank-without-work"});
  CHECK(run.defects[0].which == std::vector<std::string>{"1"});
}

TEST_CASE("of many missing ranks the first are named", "[ranks]") {
  RankWork of_many = drawn_rank("0", "RR");
  of_many.ranks = std::numeric_limits<int>::max();
  const RunResult run = judge_ranks({std::move(of_many), drawn_rank("2", "RR")});
  REQUIRE(codes_of(run.defects) == std::vector<std::string>{"rank-missing"});
  CHECK(run.defects[0].count == std::numeric_limits<int>::max() - 2);
  CHECK(run.defects[0].which.size() == 16);
  CHECK(run.defects[0].which[1] == "3");
}

TEST_CASE("ranks of runs of different sizes are of several runs", "[ranks]") {
  auto ranks = drawn_ranks({"RR", "RR"});
  ranks[0].ranks = 2;
  ranks[1].ranks = 3;
  CHECK(codes_of(judge_ranks(std::move(ranks)).defects) ==
        std::vector<std::string>{"different-sizes", "rank-missing"});
}

TEST_CASE("ranks that never ran at one time are of several runs", "[ranks]") {
  const RunResult run = judge_ranks({drawn_rank("0", "RR"), drawn_rank("1", "RR", 1'000)});
  CHECK(codes_of(run.defects).front() == "several-runs");
}

TEST_CASE("a trace without a session start has no clock", "[ranks]") {
  const RunResult run =
      judge_ranks({drawn_rank("0", "RR"), drawn_rank("1", "RR", -test::session_start)});
  CHECK(codes_of(run.defects).front() == "no-clock");
}

TEST_CASE("a collective that a rank never reaches is said", "[ranks]") {
  const RunResult run = judge_ranks(drawn_ranks({"RR.RRRRRRR",  //
                                                 "RR........"}));
  CHECK(codes_of(run.defects) == std::vector<std::string>{"unmatched-collectives"});
}

// The whole run of 18 ns counts as one step. A tenth of this step is 1.8 ns.
TEST_CASE("summaries that leave out pauses of over a tenth of a step are inconclusive", "[ranks]") {
  auto ranks = drawn_ranks({"KKRRRRRRRKKRRRRRRR",  //
                            "KK.....RRKK.....RR"});
  ranks[0].resolution = 1;
  CHECK(judge_ranks(ranks).defects.empty());
  ranks[0].resolution = 2;
  CHECK(codes_of(judge_ranks(ranks).defects) == std::vector<std::string>{"coarse-summaries"});
}

TEST_CASE("ranks are in the order of their numbers, and a process may have several devices",
          "[ranks]") {
  auto ranks = drawn_ranks({"RR", "RR"});
  ranks[0].rank = "10";
  ranks[1].rank = "9";
  ranks[1].ranks = 0;
  RunResult run = judge_ranks(std::move(ranks));
  CHECK(run.ranks[0].name == "9");
  CHECK(run.ranks[1].name == "10");

  ranks = drawn_ranks({"RR", "RR"});
  ranks[1].rank = ranks[0].rank;
  ranks[1].file = ranks[0].file;
  ranks[1].device = 1;
  run = judge_ranks(std::move(ranks));
  CHECK(run.defects.empty());
  CHECK(run.ranks[0].name == "0/0");
  CHECK(run.ranks[1].name == "0/1");
}

}  // namespace
}  // namespace lapscope::analyzer
