#include "analyzer/ranks/pipeline_bubble.h"

#include "analyzer/ranks/judge_ranks.h"
#include "tests/analyzer/ranks/drawn_ranks.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// Four steps of two micro-batches each. The forward passes begin on rank 0.
std::vector<RankWork> four_steps() {
  std::string first;
  std::string second;
  for (int step = 0; step < 4; ++step) {
    first += "KKSKKSvvvv.vvvv.";
    second += "VVVKVVKKKsKKKKs.";
  }
  return test::drawn_ranks({first, second});
}

// Sets the time in which the host of a rank issues all kernels to `ns`.
void set_host_time(RankWork& rank, Ns ns) {
  const auto last = static_cast<Ns>(rank.collectives.size()) - 1;
  for (Ns k = 0; k <= last; ++k) {
    rank.collectives[static_cast<std::size_t>(k)].host_time = ns * k / last;
  }
}

RunFinding bubble_of(std::vector<RankWork> ranks) {
  const RunResult run = judge_ranks(ranks);
  return pipeline_bubble(run, ranks, 2);
}

TEST_CASE("the micro-batches of a pipeline are the messages in a step", "[ranks]") {
  CHECK(bubble_of(four_steps()).micro_batches == 2);
}

// The bubble takes 10 ns. The first doubling of the micro-batches saves 5 ns. The second doubling
// saves another 2.5 ns. A third doubling would save another 1.25 ns.
TEST_CASE("micro-batches are doubled as long as this saves enough", "[ranks]") {
  auto ranks = four_steps();
  for (RankWork& rank : ranks) set_host_time(rank, 4);
  const RunFinding finding = bubble_of(std::move(ranks));
  CHECK(finding.bubble == 10);
  CHECK(finding.times_as_many == 4);
  CHECK(finding.saving == 8);
  CHECK(finding.most_saving == 8);
}

// In a step of 16 ns, the host of rank 1 needs 12 ns to issue two micro-batches. So a step with
// four micro-batches takes at least 24 ns.
TEST_CASE("more micro-batches save nothing if the host is too slow for them", "[ranks]") {
  auto ranks = four_steps();
  set_host_time(ranks[0], 48);
  set_host_time(ranks[1], 48);
  RunFinding finding = bubble_of(ranks);
  CHECK(finding.times_as_many == 2);
  CHECK(finding.saving == 0);

  // Half of this time comes from recording.
  for (RankWork& rank : ranks) rank.recorder_share = rank.host_recorder_share = 0.5;
  finding = bubble_of(ranks);
  CHECK(finding.saving == 0);
  CHECK(finding.most_saving == 5);
}

TEST_CASE("if the time of a host is not known, micro-batches are doubled once", "[ranks]") {
  const RunFinding finding = bubble_of(four_steps());
  CHECK(finding.times_as_many == 2);
  CHECK(finding.saving == 5);
}

TEST_CASE("a run says that its host limits the pipeline", "[ranks]") {
  auto ranks = four_steps();
  CHECK_FALSE(judge_ranks(ranks).host_limits_pipeline);
  for (RankWork& rank : ranks) set_host_time(rank, 48);
  CHECK(judge_ranks(std::move(ranks)).host_limits_pipeline);
}

}  // namespace
}  // namespace lapscope::analyzer
