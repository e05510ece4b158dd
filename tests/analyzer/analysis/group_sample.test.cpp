#include "analyzer/analysis/group_sample.h"
#include "analyzer/model/limits.h"

#include <algorithm>
#include <cmath>

#include "analyzer/analysis/analyze.h"
#include "readers/read_trace.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

CausesResult causes_of(const Trace& trace, std::size_t sample_ops) {
  AnalyzeOptions options;
  options.sample_ops = sample_ops;
  const Report report = analyze(trace, options);
  REQUIRE(report.devices.front().scope.causes);
  return *report.devices.front().scope.causes;
}

std::int64_t sum_of(const std::vector<BlameRow>& blame) {
  std::int64_t sum = 0;
  for (const BlameRow& row : blame) sum += row.ns;
  return sum;
}

std::int64_t blamed_on(const CausesResult& causes, std::string_view code, BlameKind kind) {
  for (const BlameRow& row : causes.blame) {
    if (row.code == code && row.kind == kind) return row.ns;
  }
  return 0;
}

// The trace has 5,535 ops in about 500 iterations. The sample has a fifth of the ops.
TEST_CASE("a sample of a loop has the same results as the whole loop") {
  const Trace trace = read_trace(LAPSCOPE_TEST_TRACES "/unseen/small-kernels-broken.sqlite");
  const CausesResult all = causes_of(trace, 0);
  REQUIRE_FALSE(all.sample);
  const CausesResult sampled = causes_of(trace, 1000);
  REQUIRE(sampled.sample);
  CHECK(sampled.sample->of_ops == 5535);
  CHECK(sampled.sample->ops < 2000);
  CHECK(sampled.sample->is_like_the_whole());
  CHECK(sampled.critical_path.empty());
  // Blame of the sample is scaled to the wall time of the whole scope.
  CHECK(std::abs(sum_of(sampled.blame) - sum_of(all.blame)) < sum_of(all.blame) / 10);
  const auto wall = static_cast<double>(sum_of(all.blame));
  for (const BlameRow& row : all.blame) {
    const std::int64_t ns = blamed_on(sampled, row.code, row.kind);
    INFO(row.code);
    CHECK(static_cast<double>(std::abs(ns - row.ns)) < 0.1 * wall);
  }
  REQUIRE_FALSE(all.findings.empty());
  REQUIRE_FALSE(sampled.findings.empty());
  CHECK(sampled.findings.front().code == all.findings.front().code);
  CHECK(static_cast<double>(std::abs(sampled.findings.front().saving_ns -
                                     all.findings.front().saving_ns)) < 0.1 * wall);
}

TEST_CASE("what is shown of a sample is in the times of the trace") {
  const Trace trace = read_trace(LAPSCOPE_TEST_TRACES "/unseen/small-kernels-broken.sqlite");
  const CausesResult sampled = causes_of(trace, 1000);
  const Ops& ops = trace.devices.front().ops;
  REQUIRE_FALSE(sampled.findings.empty());
  for (const FindingResult& finding : sampled.findings) {
    for (const Evidence& one : finding.evidence) {
      const auto at = std::lower_bound(ops.start.begin(), ops.start.end(), one.op_interval.start);
      REQUIRE(at != ops.start.end());
      CHECK(*at == one.op_interval.start);
    }
  }
}

TEST_CASE("a small trace is never sampled") {
  const Trace trace = read_trace(LAPSCOPE_TEST_TRACES "/unseen/small-kernels-broken.sqlite");
  CHECK_FALSE(causes_of(trace, limits::sample_ops).sample);
  // 20 ops are too few for the 16 intervals of a sample (limits::sample_intervals).
  CHECK_FALSE(causes_of(trace, 20).sample);
}

}  // namespace
}  // namespace lapscope::analyzer
