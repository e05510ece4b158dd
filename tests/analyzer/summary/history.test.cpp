#include "analyzer/summary/history.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// Makes a run on one device. `all` is the measure of the whole run, and `steady` that of its steady
// state.
RunSummary run_with(const std::string& created, double all, std::optional<double> steady) {
  RunSummary run;
  run.trace.created = created;
  DeviceSummary device;
  device.id = 0;
  device.name = "GPU";
  device.sought_steady = true;
  const auto add = [&](ScopeKind kind, const std::string& name, double value) {
    ScopeSummary scope;
    scope.kind = kind;
    scope.name = name;
    if (kind == ScopeKind::steady) scope.steady.emplace();
    scope.measures.push_back({&idle_ratio, value, ""});
    device.scopes.push_back(scope);
  };
  add(ScopeKind::device, "", all);
  if (steady) add(ScopeKind::steady, std::string(steady_state_name), *steady);
  add(ScopeKind::nvtx, "step", 0.25);
  run.devices.push_back(device);
  return run;
}

TEST_CASE("labels are ordered by when they were recorded, repeats by value", "[history]") {
  const std::vector<HistoryRuns> labels = {
      {"a", {run_with("2026-11-03T10:00:00Z", 0.5, 0.3)}},
      {"b",
       {run_with("2026-11-02T11:00:00Z", 0.5, 0.9), run_with("2026-11-02T10:00:00Z", 0.5, 0.1),
        run_with("2026-11-02T12:00:00Z", 0.5, 0.2)}}};
  const auto series = history_of(labels, idle_ratio, "");
  REQUIRE(series.size() == 1);
  CHECK(series[0].kind == ScopeKind::steady);
  REQUIRE(series[0].points.size() == 2);
  CHECK(series[0].points[0].label == "b");
  CHECK(series[0].points[0].created == "2026-11-02T10:00:00Z");
  CHECK(series[0].points[0].values == std::vector<double>{0.1, 0.2, 0.9});
  CHECK(series[0].points[0].median() == 0.2);
  CHECK(series[0].points[1].label == "a");
}

TEST_CASE("a steady state is one series, all of a run without one another", "[history]") {
  const std::vector<HistoryRuns> labels = {{"a", {run_with("1", 0.5, 0.3)}},
                                           {"b", {run_with("2", 0.5, 0.4)}},
                                           {"c", {run_with("3", 0.6, std::nullopt)}}};
  const auto series = history_of(labels, idle_ratio, "");
  REQUIRE(series.size() == 2);
  CHECK(series[0].points.size() == 2);
  CHECK(series[1].kind == ScopeKind::device);
  CHECK(series[1].points[0].values == std::vector<double>{0.6});
}

TEST_CASE("what is not compared by diff is not in one series", "[history]") {
  RunSummary of_range = run_with("2", 0.5, 0.4);
  SteadyState& steady = *of_range.devices[0].scopes[1].steady;
  steady.by = SteadyBy::range;
  steady.range = "train";
  of_range.devices[0].scopes[1].words.scope = "NVTX range 'train'";
  RunSummary of_other_gpu = run_with("3", 0.5, 0.6);
  of_other_gpu.devices[0].name = "other GPU";
  const std::vector<HistoryRuns> labels = {{"a", {run_with("1", 0.5, 0.3)}},
                                           {"b", {of_range}},
                                           {"c", {of_other_gpu}},
                                           {"d", {run_with("4", 0.5, 0.7)}}};
  const auto series = history_of(labels, idle_ratio, "");
  REQUIRE(series.size() == 3);
  CHECK(series[0].points.size() == 2);
  CHECK(series[1].steady == "NVTX range 'train'");
  CHECK(series[1].points.size() == 1);
  CHECK(series[2].device_name == "other GPU");
}

TEST_CASE("a range is asked for by name", "[history]") {
  const std::vector<HistoryRuns> labels = {{"a", {run_with("1", 0.5, 0.3)}}};
  const auto series = history_of(labels, idle_ratio, "step");
  REQUIRE(series.size() == 1);
  CHECK(series[0].scope == "step");
  CHECK(series[0].points[0].values == std::vector<double>{0.25});
  CHECK(history_of(labels, idle_ratio, "none").empty());
}

TEST_CASE("runs that cannot be relied on are counted, not drawn", "[history]") {
  RunSummary bad = run_with("1", 0.5, 0.3);
  bad.trust = Trust::inconclusive;
  const std::vector<HistoryRuns> labels = {{"a", {bad, run_with("2", 0.5, 0.4)}}};
  const auto series = history_of(labels, idle_ratio, "");
  CHECK(series[0].points[0].left_out == 1);
  CHECK(series[0].points[0].values == std::vector<double>{0.4});
  CHECK(history_of(labels, bare_wall, "")[0].points[0].values.empty());
}

}  // namespace
}  // namespace lapscope::analyzer
