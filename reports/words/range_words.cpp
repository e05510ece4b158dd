#include "reports/words/range_words.h"

#include <fmt/format.h>

#include "reports/words/cause_words.h"
#include "reports/words/printable.h"
#include "reports/words/verdict.h"

namespace lapscope::reports {

std::string title_of(const analyzer::RangeResult& range, const analyzer::DeviceResult* device) {
  const bool is_nvtx = range.kind == analyzer::ScopeKind::nvtx;
  return fmt::format("{}{}, {}",
                     is_nvtx ? "range '" + printable(range.name) + "'" : printable(range.name),
                     device ? " of " + title_of(*device) : "",
                     range.instances == 1 ? "once" : fmt::format("{} times", range.instances));
}

std::string headline(const analyzer::RangeResult& range) {
  // What is said of a device is said of its scope.
  analyzer::DeviceResult device;
  device.scope = range.scope;
  return headline(device);
}

std::string whatif_command(const analyzer::FindingResult& finding,
                           const analyzer::RangeResult* range) {
  std::string scope;
  if (range && range->kind == analyzer::ScopeKind::profiler) scope = " --profiler-brackets";
  if (range && range->kind == analyzer::ScopeKind::nvtx) {
    scope = " --range '";
    for (const char c : printable(range->name)) scope += c == '\'' ? "'\\''" : std::string(1, c);
    scope += "'";
  }
  return "lapscope whatif" + scope + " --fix " + printable(fix_argument(finding));
}

std::vector<ShownFinding> shown_findings(const analyzer::Report& report) {
  std::vector<ShownFinding> shown;
  for (const analyzer::DeviceResult& device : report.devices) {
    const auto add = [&](const analyzer::ScopeResult& scope) {
      if (!scope.causes) return;
      for (const auto& finding : scope.causes->findings) shown.push_back({&device, &finding});
    };
    for (const analyzer::RangeResult& range : device.ranges) add(range.scope);
    add(device.scope);
  }
  return shown;
}

}  // namespace lapscope::reports
