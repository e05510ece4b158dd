#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "reports/diff/diff_renderer.h"
#include "reports/perfetto/render_perfetto.h"

namespace lapscope::reports {
namespace {

using analyzer::Ns;
using analyzer::Report;

// For each range, identified by kind and name, returns its earliest start on any device.
std::map<std::pair<analyzer::ScopeKind, std::string>, Ns> starts_of(const Report& report) {
  std::map<std::pair<analyzer::ScopeKind, std::string>, Ns> starts;
  for (const auto& device : report.devices) {
    for (const auto& range : device.ranges) {
      const Ns start = range.scope.window.start;
      const auto [known, is_new] = starts.try_emplace({range.kind, range.name}, start);
      if (!is_new) known->second = std::min(known->second, start);
    }
  }
  return starts;
}

Ns first_start(const Report& report) {
  if (report.devices.empty()) return report.timeline->extent.start;
  Ns first = report.devices.front().scope.window.start;
  for (const auto& device : report.devices) first = std::min(first, device.scope.window.start);
  return first;
}

}  // namespace

Alignment align(const Report& before, const Report& after) {
  const auto then = starts_of(before);
  for (const auto& [range, start] : starts_of(after)) {
    const auto old = then.find(range);
    if (old != then.end()) return {old->second, start};
  }
  return {first_start(before), first_start(after)};
}

// Aligns the runs by delaying the run whose work begins earlier in its session. Shifting the other
// run to earlier times could make its times negative.
void render_diff_perfetto(const analyzer::Comparison&, const DrawnRuns& runs, const TextStyle&,
                          std::ostream& out) {
  const Alignment aligned = align(*runs.before, *runs.after);
  const analyzer::Ns instant = std::max(aligned.before, aligned.after);
  const PerfettoRun both[] = {
      {runs.before, "A (before) " + runs.before->trace.file, "", instant - aligned.before},
      {runs.after, "B (after) " + runs.after->trace.file, "", instant - aligned.after}};
  render_perfetto(both, out);
}

}  // namespace lapscope::reports
