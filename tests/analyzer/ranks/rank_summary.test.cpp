#include "analyzer/ranks/rank_summary.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <tuple>

#include "analyzer/ranks/judge_ranks.h"
#include "tests/analyzer/ranks/drawn_ranks.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::analyzer {
namespace {

std::string written(std::span<const RankWork> ranks) {
  std::ostringstream text;
  write_rank_summary(ranks, text);
  return text.str();
}

std::vector<RankWork> read_text(const std::string& text) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "ranks.json";
  std::ofstream(path) << text;
  return read_rank_summary(path);
}

std::string complaint(const std::string& text) {
  try {
    read_text(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::vector<std::tuple<std::string, LaunchGeometry, std::int64_t, Ns>> sorted(
    const std::vector<KernelShape>& shapes) {
  std::vector<std::tuple<std::string, LaunchGeometry, std::int64_t, Ns>> rows;
  for (const KernelShape& one : shapes)
    rows.emplace_back(one.name, one.launch, one.count, one.time);
  std::ranges::sort(rows);
  return rows;
}

TEST_CASE("a summary of ranks is read as it was written", "[ranks]") {
  // 0         1         2
  // 012345678901234567890123
  std::vector<RankWork> ranks = test::drawn_ranks({"KKKSvvvvvvKKK...RRR.BBB.",  //
                                                   "VVVVKKKKKs......RRR....."});
  ranks[0].own = {"host-compute", "train.py:12", "encode at data.py:9"};
  ranks[0].recorder_share = 0.25;
  ranks[0].host_recorder_share = 0.5;
  ranks[1].trust = Trust::inconclusive;
  ranks[1].booted = test::session_start - 7;
  ranks[1].communicators[0].rank = 1;
  for (std::size_t k = 0; k < ranks[1].collectives.size(); ++k) {
    ranks[1].collectives[k].host_time = static_cast<Ns>(3 * k);
    ranks[1].collectives[k].lead = static_cast<Ns>(k % 2);
  }
  ranks[1].kernels = {
      {{"gemm", {1, 2, 3, 4}, 5, 6}, {"f<\"x\">", {}, 1, 7}, {"gemm", {}, 8, 9}}, 99, 40};
  ranks[1].judged = {ranks[1].whole.start + 3, ranks[1].whole.end - 2};
  const std::vector<RankWork> read = read_text(written(ranks));
  REQUIRE(read.size() == 2);
  for (std::size_t r = 0; r < 2; ++r) {
    CHECK(read[r].file == ranks[r].file);
    CHECK(read[r].rank == ranks[r].rank);
    CHECK(read[r].booted == ranks[r].booted);
    CHECK(read[r].whole == ranks[r].whole);
    CHECK(read[r].judged == ranks[r].judged);
    CHECK(read[r].trust == ranks[r].trust);
    CHECK(read[r].own.code == ranks[r].own.code);
    CHECK(read[r].own.where == ranks[r].own.where);
    CHECK(read[r].own.function == ranks[r].own.function);
    CHECK(read[r].recorder_share == ranks[r].recorder_share);
    CHECK(read[r].host_recorder_share == ranks[r].host_recorder_share);
    CHECK(read[r].resolution == 0);
    CHECK(read[r].names == ranks[r].names);
    CHECK(read[r].communicators[0].id == ranks[r].communicators[0].id);
    CHECK(read[r].communicators[0].rank == ranks[r].communicators[0].rank);
    REQUIRE(read[r].collectives.size() == ranks[r].collectives.size());
    for (std::size_t c = 0; c < read[r].collectives.size(); ++c) {
      CHECK(read[r].collectives[c].interval == ranks[r].collectives[c].interval);
      CHECK(read[r].collectives[c].kind == ranks[r].collectives[c].kind);
      CHECK(read[r].collectives[c].name == ranks[r].collectives[c].name);
      CHECK(read[r].collectives[c].host_time == ranks[r].collectives[c].host_time);
      CHECK(read[r].collectives[c].lead == ranks[r].collectives[c].lead);
    }
    REQUIRE(read[r].messages.size() == ranks[r].messages.size());
    for (std::size_t m = 0; m < read[r].messages.size(); ++m) {
      CHECK(read[r].messages[m].collective == ranks[r].messages[m].collective);
      CHECK(read[r].messages[m].peer == ranks[r].messages[m].peer);
      CHECK(read[r].messages[m].is_send == ranks[r].messages[m].is_send);
    }
    CHECK(read[r].kernels.time == ranks[r].kernels.time);
    CHECK(read[r].kernels.busy == ranks[r].kernels.busy);
    // Shapes of one name are next to each other in a summary.
    CHECK(sorted(read[r].kernels.kept) == sorted(ranks[r].kernels.kept));
    CHECK(std::ranges::equal(read[r].other_work.intervals(), ranks[r].other_work.intervals()));
  }
}

TEST_CASE("ranks of summaries are evaluated as those of traces are", "[ranks][laws]") {
  std::mt19937 random(11);
  const std::string_view letters = "KKRRRG..B";
  for (int round = 0; round < 100; ++round) {
    std::vector<RankWork> ranks;
    for (int r = 0; r < 3; ++r) {
      std::string picture;
      while (picture.size() < 80) {
        picture.append(1 + random() % 5, letters[random() % letters.size()]);
      }
      ranks.push_back(test::drawn_rank(std::to_string(r), picture));
    }
    const RunResult of_traces = judge_ranks(ranks);
    const RunResult of_summaries = judge_ranks(read_text(written(ranks)));
    CHECK(of_summaries.window == of_traces.window);
    CHECK(of_summaries.collectives == of_traces.collectives);
    CHECK(of_summaries.steps == of_traces.steps);
    REQUIRE(of_summaries.findings.size() == of_traces.findings.size());
    for (std::size_t f = 0; f < of_traces.findings.size(); ++f) {
      CHECK(of_summaries.findings[f].saving == of_traces.findings[f].saving);
    }
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      CHECK(of_summaries.ranks[r].time.computing == of_traces.ranks[r].time.computing);
      CHECK(of_summaries.ranks[r].time.waiting == of_traces.ranks[r].time.waiting);
      CHECK(of_summaries.ranks[r].time.idle == of_traces.ranks[r].time.idle);
      CHECK(of_summaries.ranks[r].late.sum == of_traces.ranks[r].late.sum);
    }
  }
}

// Each of ten steps has 1,000 kernels with pauses of 100 to 1,099 ns, and two collectives. Not all
// pauses fit into a summary.
TEST_CASE("the shortest pauses are left out where a rank has too many", "[ranks]") {
  RankWork rank = test::drawn_rank("0", "K");
  std::vector<Interval> work;
  Ns at = rank.whole.start;
  for (int step = 0; step < 10; ++step) {
    for (int kernel = 0; kernel < 1000; ++kernel) {
      work.push_back({at, at + 5000});
      at += 5000 + 100 + kernel;
    }
    rank.collectives.push_back({{at, at + 3000}, 0, 0, 0, CollectiveKind::all_reduce});
    rank.collectives.push_back({{at + 4000, at + 7000}, 0, 0, 1, CollectiveKind::all_gather});
    at += 8000;
  }
  rank.whole.end = at;
  rank.judged = rank.whole;
  rank.other_work = IntervalSet::union_of(work);
  const std::string text = written(std::span(&rank, 1));
  CHECK(text.size() < 10 * rank_summary_step_bytes + 1500);
  const RankWork read = read_text(text).front();
  CHECK(read.collectives.size() == 20);
  REQUIRE(read.resolution > 0);
  // Only pauses of at least `resolution` remain.
  Ns longer = 0;
  for (std::size_t i = 1; i < work.size(); ++i) {
    const Ns pause = work[i].start - work[i - 1].end;
    if (pause >= read.resolution) longer += pause;
  }
  CHECK(read.whole.length() - read.other_work.length() - (at - work.back().end) == longer);
  CHECK(judge_ranks({read}).resolution == read.resolution);
}

// The collectives alone exceed the limit. Without a share of its own, "busy" would get nothing, and
// the rank would seem to compute all the time.
TEST_CASE("a rank with very many collectives keeps its pauses", "[ranks]") {
  RankWork rank = test::drawn_rank("0", "RR");
  rank.collectives.clear();
  std::vector<Interval> work;
  Ns at = rank.whole.start;
  for (int kernel = 0; kernel < 3000; ++kernel) {
    // The lengths differ, so that no steps are found.
    if (kernel % 100 == 0) work.push_back({at, at += 100'000});
    rank.collectives.push_back({{at + 900, at + 5000}, kernel * kernel});
    at += 6000;
  }
  rank.whole.end = at;
  rank.judged = rank.whole;
  rank.other_work = IntervalSet::union_of(std::move(work));
  const RankWork read = read_text(written(std::span(&rank, 1))).front();
  CHECK(read.other_work.length() == rank.other_work.length());
}

TEST_CASE("a damaged summary of ranks is a sentence", "[ranks][bad]") {
  const std::vector<RankWork> ranks = test::drawn_ranks({"KKSRRR", "KKVRRR"});
  const std::string good = written(ranks);
  CHECK_THAT(complaint("{"), test::Containing("it is no JSON, or cut short"));
  CHECK_THAT(complaint(good.substr(0, good.size() / 2)), test::Containing("cut short"));
  CHECK_THAT(complaint(replaced(good, "summary/1", "summary/2")),
             test::Containing("its schema is 'lapscope-rank-summary/2'"));
  CHECK_THAT(complaint(replaced(good, "\"collectives\":[0", "\"collectives\":[7")),
             test::Containing("a collective has no kind"));
  CHECK_THAT(complaint(replaced(good, "\"collectives\":[0", "\"collectives\":[-1")),
             test::Containing("whole number from 0 on"));
  CHECK_THAT(complaint(replaced(good, "\"busy\":[0", "\"busy\":[9223372036854775807")),
             test::Containing("later than can be"));
  CHECK_THAT(complaint(replaced(good, "\"busy\":[", "\"busy\":[1,")),
             test::Containing("not two numbers each"));
  CHECK_THAT(complaint(replaced(good, "\"issue\":[", "\"issue\":[1,")),
             test::Containing("not two numbers for each"));
  CHECK_THAT(complaint(replaced(good, "\"issue\":[0", "\"issue\":[9223372036854775807")),
             test::Containing("longer than can be"));
  CHECK_THAT(complaint(replaced(good, "\"issue\":[0,0", "\"issue\":[0,9223372036854775807")),
             test::Containing("longer than can be"));
  CHECK_THAT(complaint(replaced(good, "\"recorder_share\":0.0", "\"recorder_share\":1e300")),
             test::Containing("a share is not between 0 and 1"));
  CHECK_THAT(complaint(replaced(good, "\"trust\":\"sound\"", "\"trust\":\"maybe\"")),
             test::Containing("'maybe', which is not known"));
  CHECK_THAT(complaint(replaced(good, "\"communicator\":0", "\"communicator\":5")),
             test::Containing("beyond its table"));
  CHECK_THAT(complaint(replaced(good, "\"bytes\":0", "\"bytes\":-8")),
             test::Containing("a size or a time is negative"));
  CHECK_THAT(complaint(replaced(good, "\"resolution_ns\":0", "\"resolution_ns\":-5")),
             test::Containing("a size or a time is negative"));
  const std::string no_kernels = R"("kernels":{"ns":0,"busy_ns":0,"by_name":{}})";
  CHECK(complaint(replaced(good, no_kernels + ",", "")).empty());  // as in older versions
  CHECK(complaint(replaced(good, "\"busy_ns\":0,", "")).empty());
  for (const char* times : {"\"ns\":-1", "\"ns\":9007199254740993", "\"ns\":1,\"busy_ns\":2"}) {
    CHECK_THAT(complaint(replaced(good, "\"ns\":0,\"busy_ns\":0", times)),
               test::Containing("the time of kernels cannot be"));
  }
  // The last two take more than the 9 ns of all kernels.
  for (const char* shapes : {"[1,1,1,1,0,9]", "[1,1,1,1,9]", "[1,1,1,1,9223372036854775807,9]",
                             "[1,1,1,1,1,10]", "[1,1,1,1,1,5],[2,1,1,1,1,5]"}) {
    const std::string kernels = std::string(R"("ns":9,"by_name":{"gemm":[)") + shapes + "]}";
    CHECK_THAT(complaint(replaced(good, R"("ns":0,"busy_ns":0,"by_name":{})", kernels)),
               test::Containing("a shape of kernels is broken"));
  }
  std::string many = "1,1,1";
  for (int i = 1; i < 3000; ++i) many += ",1,1,1";
  std::string messages = "[0,1,\"send\",8]";
  for (int i = 1; i < 2000; ++i) messages += ",[0,1,\"send\",8]";
  const std::string bomb =
      replaced(replaced(good, "\"collectives\":[", "\"collectives\":[" + many + ","),
               "\"communicator\":0}", "\"communicator\":0,\"messages\":[" + messages + "]}");
  CHECK_THAT(complaint(bomb), test::Containing("more than 4194304 messages"));
  CHECK_THAT(complaint("{}"), test::Containing("Make it again with `lapscope summarize --ranks"));
}

}  // namespace
}  // namespace lapscope::analyzer
