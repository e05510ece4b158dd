#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/export_file.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"

// Reads and analyzes synthetic exports of Nsight Systems.
namespace lapscope::test {

inline constexpr std::int64_t ms = 1'000'000;

// Makes an export in the layout of a release and reads it. `fill` adds the rows.
template <class Fill>
analyzer::Trace read_export(NsysRelease release, Fill&& fill) {
  const TemporaryFolder folder;
  {
    ExportFile file(folder / "e.sqlite", release);
    fill(file);
  }
  return analyzer::read_trace(folder / "e.sqlite");
}

// Returns the row with this code, or nullptr.
inline const analyzer::HealthRow* row_of(const std::vector<analyzer::HealthRow>& health,
                                         std::string_view code) {
  const auto found =
      std::find_if(health.begin(), health.end(),
                   [code](const analyzer::HealthRow& row) { return code_of(row) == code; });
  return found == health.end() ? nullptr : &*found;
}

// Returns the causes in the whole run. The trace must have one device.
inline analyzer::CausesResult causes_of(const analyzer::Trace& trace) {
  analyzer::AnalyzeOptions options;
  options.focus = analyzer::Focus::whole;
  const analyzer::Report report = analyzer::analyze(trace, options);
  REQUIRE(report.devices.size() == 1);
  return report.devices[0].scope.causes.value();
}

inline std::int64_t blamed(const analyzer::CausesResult& causes, std::string_view code) {
  for (const analyzer::BlameRow& row : causes.blame) {
    if (row.code == code) return row.ns;
  }
  return 0;
}

// Returns the advice with this step, or nullptr.
inline const analyzer::Advice* advice_of(const analyzer::CausesResult& causes,
                                         std::string_view step) {
  const auto found =
      std::find_if(causes.advice.begin(), causes.advice.end(),
                   [step](const analyzer::Advice& one) { return code_of(one.step()) == step; });
  return found == causes.advice.end() ? nullptr : &*found;
}

}  // namespace lapscope::test
