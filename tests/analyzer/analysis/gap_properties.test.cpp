#include <algorithm>
#include <random>

#include "analyzer/analysis/analyze.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/program.h"
#include "tests/analyzer/support/random_rows.h"
#include "tests/analyzer/support/random_trace.h"
#include "tests/analyzer/support/rounds.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

// Checks laws of gaps on random traces. Each trace is written to a file and read back.
namespace lapscope::analyzer {
namespace {

std::int64_t ns(const ScopeResult& scope, const Measure& measure) {
  for (const MeasureResult& result : scope.measures) {
    if (result.measure == &measure) return std::get<Nanoseconds>(result.value).count;
  }
  FAIL("no measure " << measure.name);
  return 0;
}

void check_parts(const GapResult& gap) {
  std::int64_t now = gap.interval.start;
  for (const GapPartResult& part : gap.parts) {
    REQUIRE(part.interval.start == now);
    REQUIRE(part.interval.length() > 0);
    now = part.interval.end;
  }
  REQUIRE(now == gap.interval.end);
}

// Checks the sums of gaps. All gaps must be listed.
void check_gaps(const ScopeResult& scope) {
  const GapsResult& gaps = scope.gaps;
  std::int64_t explained = 0;
  REQUIRE(gaps.by_cause.has_value());
  for (const std::int64_t by_cause : *gaps.by_cause) explained += by_cause;
  REQUIRE(explained == gaps.total_ns);
  REQUIRE(gaps.total_ns == ns(scope, idle));
  REQUIRE(gaps.count == std::ssize(gaps.longest));
  TimeByCause by_cause{};
  for (const GapResult& gap : gaps.longest) {
    REQUIRE(scope.window.start <= gap.interval.start);
    REQUIRE(gap.interval.end <= scope.window.end);
    check_parts(gap);
    for (const GapPartResult& part : gap.parts) {
      by_cause[static_cast<std::size_t>(part.cause)] += part.interval.length();
    }
  }
  REQUIRE(by_cause == *gaps.by_cause);
}

const Ops& ops_of(const Trace& trace, std::int64_t id) {
  return std::find_if(trace.devices.begin(), trace.devices.end(),
                      [id](const Device& device) { return device.id == id; })
      ->ops;
}

// Computes the idle time in another way than the analyzer: adds up the intervals of `window` in
// which no op runs.
std::int64_t counted_idle(const Ops& ops, Interval window) {
  std::int64_t idle = 0;
  std::int64_t seen_to = window.start;
  for (std::size_t op = 0; op < ops.size() && ops.start[op] < window.end; ++op) {
    idle += std::max<std::int64_t>(ops.start[op] - seen_to, 0);
    seen_to = std::max(seen_to, ops.end[op]);
  }
  return idle + std::max<std::int64_t>(window.end - seen_to, 0);
}

TEST_CASE("parts sum to gaps, and gaps to idle time, of the whole, windows, ranges and brackets",
          "[laws]") {
  const test::TemporaryFolder folder;
  TimeByCause seen{};
  // These seeds include a rare gap, which a missing event causes.
  constexpr unsigned first = 300;
  for (unsigned seed = first; seed < first + test::rounds(800); ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto file = folder / (std::to_string(seed) + ".sqlite");
    test::random_rows(random).write(file);
    Trace trace = read_trace(file);
    std::filesystem::remove(file);
    // Some causes appear only in longer ops.
    const std::int64_t factor = seed % 4 < 2 ? 1 : 100;
    test::stretch_times(trace, factor);
    AnalyzeOptions options;
    options.ranges = {"*"};
    options.profiler_brackets = true;
    options.gaps.longest_listed = 1'000'000;
    if (seed % 2 == 1) {
      const auto start = factor * static_cast<std::int64_t>(random() % 10'000);
      options.window =
          Interval{start, start + 1 + factor * static_cast<std::int64_t>(random() % 10'000)};
    }
    const Report report = analyze(trace, options);
    for (const DeviceResult& device : report.devices) {
      check_gaps(device.scope);
      const Ops& ops = ops_of(trace, device.id);
      for (const RangeResult& range : device.ranges) {
        check_gaps(range.scope);
        REQUIRE(range.scope.gaps.total_ns == counted_idle(ops, range.scope.window));
      }
      REQUIRE(device.scope.gaps.total_ns == counted_idle(ops, device.scope.window));
      for (std::size_t cause = 0; cause < cause_count; ++cause) {
        seen[cause] += (*device.scope.gaps.by_cause)[cause];
      }
    }
  }
  // Threads of random traces hardly ever take turns. This drawing adds the cause `lock`.
  const test::Program turns(R"(
    thread 1  asss......asss......asss......asss......asss......asss......asss......asss......
    thread 2  .....bttt......bttt......bttt......bttt......bttt......bttt......bttt......bttt.
    stream 1  .AA.......AA........AA........AA........AA........AA........AA........AA........
    stream 2  ......BB........BB........BB........BB........BB........BB........BB........BB..
    s = cudaStreamSynchronize, stream 1
    t = cudaStreamSynchronize, stream 2
    AB = named step
  )");
  // Random traces hardly ever have launches that block. This drawing adds the cause
  // `launch_blocking`.
  const test::Program blocks(R"(
    thread 1  aaaaaaa.bbbbbbb.ccccccc
    stream 1  .AAA.....BBB.....CCC...
  )");
  AnalyzeOptions all;
  all.gaps.longest_listed = 1'000;
  for (const test::Program* program : {&turns, &blocks}) {
    const Report report = analyze(program->trace, all);
    check_gaps(report.devices.front().scope);
    for (const Cause cause : {Cause::lock, Cause::launch_blocking}) {
      seen[static_cast<std::size_t>(cause)] +=
          (*report.devices.front().scope.gaps.by_cause)[static_cast<std::size_t>(cause)];
    }
  }
  // The random traces contain every other cause.
  for (std::size_t cause = 0; cause < cause_count; ++cause) {
    INFO(code_of(static_cast<Cause>(cause)));
    REQUIRE(seen[cause] > 0);
  }
}

TEST_CASE("without causes the gaps are the same, and nobody says what is in them", "[laws]") {
  const test::TemporaryFolder folder;
  for (unsigned seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto file = folder / (std::to_string(seed) + ".sqlite");
    test::random_rows(random).write(file);
    const Trace trace = read_trace(file);
    AnalyzeOptions options;
    options.ranges = {"*"};
    const Report with = analyze(trace, options);
    options.find_causes = false;
    const Report without = analyze(trace, options);
    REQUIRE(with.devices.size() == without.devices.size());
    for (std::size_t d = 0; d < with.devices.size(); ++d) {
      const GapsResult& known = with.devices[d].scope.gaps;
      const GapsResult& found = without.devices[d].scope.gaps;
      REQUIRE_FALSE(found.by_cause.has_value());
      REQUIRE(times_of(found).empty());
      REQUIRE(found.count == known.count);
      REQUIRE(found.total_ns == known.total_ns);
      REQUIRE(found.longest.size() == known.longest.size());
      for (std::size_t gap = 0; gap < found.longest.size(); ++gap) {
        REQUIRE(found.longest[gap].interval == known.longest[gap].interval);
        REQUIRE(found.longest[gap].next == known.longest[gap].next);
        REQUIRE(found.longest[gap].thread == known.longest[gap].thread);
        REQUIRE(found.longest[gap].parts.empty());
      }
    }
  }
}

}  // namespace
}  // namespace lapscope::analyzer
