#include <cmath>
#include <string>
#include <string_view>

#include "analyzer/analysis/analyze.h"
#include "readers/read_trace.h"
#include "tests/catch.h"

// The recorded programs measured their host time with a clock, and the samples must agree. Each
// program is a case of tests/gpu/programs/host_time.py, and ran 4 s with 200 samples a second.
namespace lapscope::analyzer {
namespace {

struct Planted {
  const char* trace;
  const char* function;  // the function, with everything that it called
  double share;          // share of the range
  HostKind largest;      // kind of the largest part
};

// The largest difference allowed. Two standard deviations are 0.038, for a share of one half and
// 700 samples.
constexpr double most_off = 0.045;

double share_of(const HostActivity& host, Ns wall, std::string_view function) {
  Ns sum = 0;
  for (const HostPart& part : host.parts) {
    const bool is_called_by_it = part.caller == function;
    if (part.function == function || is_called_by_it) sum += part.share.ns;
  }
  return static_cast<double>(sum) / static_cast<double>(wall);
}

TEST_CASE("what recorded programs do between their calls is what they say themselves", "[laws]") {
  const Planted planted[] = {
      {"two_functions", "long_work", 0.688, HostKind::user},
      {"two_functions", "short_work", 0.295, HostKind::user},
      {"lock", "lock", 0.648, HostKind::lock},
      {"lock", "short_work", 0.325, HostKind::lock},
      {"sleep", "sleep", 0.658, HostKind::sleep},
      {"sleep", "short_work", 0.325, HostKind::sleep},
      {"collect", "collect", 0.965, HostKind::user},  // Python does not report collections
      {"loader_in_thread", "Data.__getitem__", 0.727, HostKind::data_loading},
      {"loader_in_thread", "short_work", 0.268, HostKind::data_loading},
      {"loader_in_worker", "loader", 0.720, HostKind::process_wait},
      {"loader_in_worker", "short_work", 0.267, HostKind::process_wait},
  };
  for (const Planted& one : planted) {
    INFO(one.trace << ", " << one.function);
    AnalyzeOptions options;
    options.ranges = {"measure"};
    const std::string file = std::string(LAPSCOPE_TEST_TRACES "/host/") + one.trace + ".sqlite";
    const Report report = analyze(read_trace(file), options);
    const ScopeResult& scope = report.devices.at(0).ranges.at(0).scope;
    REQUIRE(scope.host_time.has_value());
    Ns sum = 0;
    for (const HostPart& part : scope.host_time->parts) sum += part.share.ns;
    Ns host = 0;
    for (const HostThread& thread : scope.host_time->threads) host += thread.ns;
    CHECK(sum == host);
    CHECK(std::abs(share_of(*scope.host_time, scope.window.length(), one.function) - one.share) <
          most_off);
    CHECK(scope.host_time->parts.front().kind == one.largest);
    REQUIRE_FALSE(scope.causes->findings.empty());
    CHECK(scope.causes->findings.front().code == "host-compute");
  }
}

}  // namespace
}  // namespace lapscope::analyzer
