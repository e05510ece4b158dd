#include "analyzer/analysis/stats.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "analyzer/analysis/analyze.h"
#include "tests/analyzer/support/bitmap.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE(
    "of durations are told the sum, the ends, the lower median and the deviation of a sample") {
  const Durations four = durations_of({8, 2, 4, 6});
  CHECK(four.count == 4);
  CHECK(four.sum_ns == 20);
  CHECK(four.least_ns == 2);
  CHECK(four.most_ns == 8);
  CHECK(four.median_ns == 4);
  CHECK(four.average_ns() == 5);
  CHECK(four.deviation_ns == Approx(std::sqrt(20.0 / 3)));
  CHECK(durations_of({7}).deviation_ns == 0);
  CHECK(durations_of({7}).median_ns == 7);
}

// Formats each row as "name count sum". Sums are in units.
std::vector<std::string> rows_of(const std::vector<StatsRow>& rows, std::int64_t unit) {
  std::vector<std::string> texts;
  for (const StatsRow& row : rows) {
    texts.push_back(row.name + ' ' + std::to_string(row.durations.count) + ' ' +
                    std::to_string(row.durations.sum_ns / unit));
  }
  return texts;
}

using Rows = std::vector<std::string>;

//   thread 1  a.b.ccccccc....d
//   stream 1  ..AAA.BBBB......
test::Program program() {
  return test::Program(R"(
    thread 1  a.b.ccccccc....d
    stream 1  ..AAA.BBBB......
    c = cudaDeviceSynchronize
    d = cudaFree
    A = named first
    B = h2d, bytes 4096
  )");
}

ScopeStats only_scope(const test::Program& drawn, AnalyzeOptions options) {
  options.stats = true;
  const Report report = analyze(drawn.trace, options);
  REQUIRE(report.stats.size() == 1);
  return report.stats.front();
}

TEST_CASE("of a whole run every op and call is told, by name") {
  const test::Program drawn = program();
  const ScopeStats stats = only_scope(drawn, {});
  CHECK(stats.kind == ScopeKind::device);
  CHECK(rows_of(stats.kernels, drawn.unit) == Rows{"first 1 3"});
  CHECK(rows_of(stats.copies, drawn.unit) == Rows{"copy h2d 1 4"});
  CHECK(stats.copies.front().bytes == 4096);
  CHECK(stats.kernels.front().device == 0);
  const Rows calls = rows_of(stats.calls, drawn.unit);
  REQUIRE(calls.size() == 4);
  CHECK(calls.front() == "cudaDeviceSynchronize 1 7");
  CHECK_FALSE(stats.calls.front().device.has_value());
}

TEST_CASE("of a window the part inside is told, of calls as well") {
  const test::Program drawn = program();
  AnalyzeOptions options;
  options.window = Interval{3 * drawn.unit, 8 * drawn.unit};
  const ScopeStats stats = only_scope(drawn, options);
  CHECK(stats.window == *options.window);
  CHECK(rows_of(stats.kernels, drawn.unit) == Rows{"first 1 2"});
  CHECK(rows_of(stats.copies, drawn.unit) == Rows{"copy h2d 1 2"});
  CHECK(rows_of(stats.calls, drawn.unit) == Rows{"cudaDeviceSynchronize 1 4"});
}

TEST_CASE("of a range its ops are told, and the calls until they have ended") {
  // The range contains only the call b.
  test::Program drawn = program();
  drawn.trace.names.add(1000, "copies");
  drawn.trace.ranges.push_back({{2 * drawn.unit, 3 * drawn.unit},
                                drawn.trace.calls.threads.front().global_tid,
                                drawn.trace.names.index_of(1000)});
  AnalyzeOptions options;
  options.ranges = {"copies"};
  const ScopeStats stats = only_scope(drawn, options);
  CHECK(stats.kind == ScopeKind::nvtx);
  CHECK(stats.name == "copies");
  CHECK(stats.kernels.empty());
  CHECK(rows_of(stats.copies, drawn.unit) == Rows{"copy h2d 1 4"});
  const Rows calls = rows_of(stats.calls, drawn.unit);
  REQUIRE(calls.size() == 2);
  CHECK(calls.front() == "cudaDeviceSynchronize 1 6");
}

TEST_CASE("stats of random devices are those that the largest groups have") {
  std::mt19937 random(20261125);
  for (int round = 0; round < 100; ++round) {
    Trace trace;
    trace.devices.push_back(test::random_device(random));
    AnalyzeOptions options;
    options.stats = true;
    options.find_causes = false;
    const Report report = analyze(trace, options);
    if (report.devices.empty()) continue;
    std::vector<StatsRow> all = report.stats.at(0).kernels;
    const auto& copies = report.stats.at(0).copies;
    all.insert(all.end(), copies.begin(), copies.end());
    REQUIRE(all.size() == report.devices[0].groups.size());
    for (const OpGroup& group : report.devices[0].groups) {
      INFO(round << ' ' << group.name);
      CHECK(std::count_if(all.begin(), all.end(), [&group](const StatsRow& row) {
              return row.name == group.name && row.durations.sum_ns == group.sum_ns &&
                     row.durations.count == group.ops && row.bytes == group.bytes;
            }) >= 1);
    }
  }
}

}  // namespace
}  // namespace lapscope::analyzer
