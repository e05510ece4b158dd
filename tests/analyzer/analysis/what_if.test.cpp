#include "analyzer/analysis/what_if.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "cli/fix_argument.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// Checks that analyze and what_if agree on the unchanged run.
void require_same_run(const DeviceResult& device, const ScopeResult& scope,
                      const std::vector<WhatIfScope>& told) {
  const auto found = std::find_if(told.begin(), told.end(), [&device](const WhatIfScope& one) {
    return one.device == device.id;
  });
  REQUIRE(found != told.end());
  CHECK(found->wall_ns == scope.window.length());
  CHECK(found->replay.wall_ns == scope.causes->replay.wall_ns);
  CHECK(found->unexplained_share == scope.causes->unexplained_share);
  REQUIRE(found->ratios.size() == 4);
  for (const PredictedRatio& ratio : found->ratios) {
    INFO(ratio.measure->name);
    const auto measured =
        std::find_if(scope.measures.begin(), scope.measures.end(),
                     [&](const MeasureResult& one) { return one.measure == ratio.measure; });
    CHECK(ratio.recorded == measured->value);
  }
  const auto* predicted = std::get_if<Ratio>(&found->ratios[0].predicted);
  REQUIRE(predicted);
  CHECK(std::abs(predicted->value() - found->predicted.overlap_ratio.value()) < 1e-9);
}

TEST_CASE("the unchanged run is the same to whatif and to analyze, ratios and all") {
  const std::filesystem::path folder = LAPSCOPE_TEST_TRACES;
  struct {
    const char* trace;
    const char* range;
  } cases[] = {{"oddities/graph.sqlite", ""},
               {"oddities/threads.sqlite", ""},
               {"nccl-all-reduce-separate-streams.sqlite", "nccl-all-reduce"},
               {"peer-copies-broken.sqlite", "peer-copies"},
               {"sync-memcpy-broken.sqlite", "sync-memcpy"}};
  for (const auto& [name, range] : cases) {
    INFO(name);
    const Trace trace = read_trace(folder / name);
    AnalyzeOptions options;
    if (*range) options.ranges = {range};
    const WhatIfReport told = what_if(trace, options, {cli::parse_fix("host-sync")});
    options.ranges.clear();
    const WhatIfReport whole = what_if(trace, options, {cli::parse_fix("host-sync")});
    if (*range) options.ranges = {range};
    for (const DeviceResult& device : analyze(trace, options).devices) {
      require_same_run(device, device.scope, whole.scopes);
      for (const RangeResult& one : device.ranges) {
        require_same_run(device, one.scope, told.scopes);
      }
    }
  }
}

// Tiles are copied in, computed and copied out. The host waits for each step.
TEST_CASE("fixes that put work side by side hide copies and leave less idle") {
  const Trace trace =
      read_trace(std::filesystem::path(LAPSCOPE_TEST_TRACES) / "sync-device-broken.sqlite");
  AnalyzeOptions options;
  options.ranges = {"sync-device"};
  const WhatIfReport told = what_if(trace, options, {cli::parse_fix("host-sync")});
  REQUIRE(told.scopes.size() == 1);
  const auto value = [&](const char* name, bool predicted) {
    for (const PredictedRatio& ratio : told.scopes[0].ratios) {
      if (ratio.measure->name != name) continue;
      return std::get<Ratio>(predicted ? ratio.predicted : ratio.recorded).value();
    }
    throw std::out_of_range(name);
  };
  for (const char* more : {"overlap_ratio", "overlap_efficiency", "copy_hidden"}) {
    INFO(more);
    CHECK(value(more, true) > value(more, false) + 0.3);
  }
  CHECK(value("idle_ratio", true) < value("idle_ratio", false));
}

// The trace does not show the rate of copies from page-locked memory.
TEST_CASE("a fix is inconclusive if the new length of an op is not known") {
  const test::Program program(R"(
    thread 1  mmmmmmmmmb...
    stream 1  .MMMMMMMM....
    stream 2  ..........BBB
    M = h2d, bytes 2097152, pageable
  )");
  const auto troubles = [&](const std::vector<const char*>& fixes) {
    std::vector<FixRequest> asked;
    for (const char* text : fixes) asked.push_back(cli::parse_fix(text));
    return what_if(program.trace, {}, asked).health;
  };
  const std::vector<HealthRow> health = troubles({"pageable-copy"});
  REQUIRE(health.size() == 1);
  REQUIRE(health[0].kind == HealthKind::fix_unknown);
  REQUIRE(health[0].details == Details{"h2d"});
  REQUIRE(troubles({"pageable-copy", "scale:h2d=3"}).empty());
  REQUIRE(troubles({"host-sync"}).empty());
}

WhatIfScope of_queues(const char* trace, const char* fix) {
  AnalyzeOptions options;
  options.ranges = {"queue-alias"};
  const auto file = std::filesystem::path(LAPSCOPE_TEST_TRACES) / trace;
  return what_if(read_trace(file), options, {cli::parse_fix(fix)}).scopes.at(0);
}

// The first trace was recorded with 8 connections. The second trace is of the same program with 32
// connections.
TEST_CASE("the prediction for 8 connections is the time that was recorded with 8 connections") {
  const WhatIfScope eight = of_queues("queue-alias-broken.sqlite", "queue-alias:8");
  REQUIRE(eight.predicted.wall_ns == eight.replay.wall_ns);
  const WhatIfScope fewer = of_queues("queue-alias-fixed.sqlite", "queue-alias:8");
  const auto recorded = static_cast<double>(eight.wall_ns);
  REQUIRE(static_cast<double>(fewer.wall_ns) < 0.7 * recorded);
  REQUIRE(std::abs(static_cast<double>(fewer.predicted.wall_ns) / recorded - 1) < 0.03);
}

}  // namespace
}  // namespace lapscope::analyzer
