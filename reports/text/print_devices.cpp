#include "reports/text/text_sections.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <tuple>

#include "analyzer/analysis/verdict.h"
#include "reports/text/layout.h"
#include "reports/words/activity_words.h"
#include "reports/words/format.h"
#include "reports/words/recorder_words.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::Ns;
using analyzer::ScopeResult;
using Align = Table::Align;

Ns saving_of(const ScopeResult& scope) {
  Ns most = 0;
  if (!scope.causes) return most;
  for (const auto& finding : scope.causes->findings) most = std::max(most, finding.saving_ns);
  return most;
}

Ns saving_of(const DeviceResult& device) {
  if (device.ranges.empty()) return saving_of(device.scope);
  Ns most = 0;
  for (const auto& range : device.ranges) most = std::max(most, saving_of(range.scope));
  return most;
}

// The verdict in a few words.
std::string verdict_on(const ScopeResult& scope) {
  if (!scope.causes) return "";
  if (!scope.causes->findings.empty()) {
    const auto& first = scope.causes->findings.front();
    return fmt::format("{} {}", first.code, format_percent(first.saving_share));
  }
  const analyzer::Verdict verdict = verdict_of(scope);
  if (verdict == analyzer::Verdict::inconclusive) return std::string(name_of(verdict));
  if (verdict == analyzer::Verdict::ok) {
    return fmt::format("ok, {} busy {:.1f} %", word_of_code(scope.causes->bound_by),
                       100 * scope.causes->bound_share);
  }
  const auto& largest = scope.causes->blame.front();
  return fmt::format("{} {}", largest.code, format_share(largest.ns, explained_ns(scope)));
}

}  // namespace

const DeviceResult* device_to_show(const analyzer::Report& report) {
  const auto found = std::max_element(report.devices.begin(), report.devices.end(),
                                      [](const auto& a, const auto& b) {
                                        return std::tuple(saving_of(a), judged_of(a).ops) <
                                               std::tuple(saving_of(b), judged_of(b).ops);
                                      });
  return found == report.devices.end() ? nullptr : &*found;
}

void print_devices(const analyzer::Report& report, const DeviceResult& shown,
                   const TextStyle& style, std::ostream& out) {
  const Paint paint(style);
  Table table({Align::right, Align::left, Align::right, Align::right, Align::right, Align::left});
  table.add({"", "", "ops", "wall", "busy", "verdict"});
  constexpr std::size_t beside = 68;  // what the other columns take, at most
  const std::size_t room = style.width > beside + 6 ? style.width - beside : 0;
  for (const DeviceResult& device : report.devices) {
    const ScopeResult& judged = judged_of(device);
    table.add({std::to_string(device.id), shortened(device.name, room), std::to_string(judged.ops),
               format_ns(judged.window.length()),
               format_share(ns_of(judged, "busy"), judged.window.length()), verdict_on(judged)});
  }
  const std::string heading =
      fmt::format("{} devices; below: device {}, with the most to gain (-v: all)",
                  report.devices.size(), shown.id);
  fmt::print(out, "{}\n", paint.bold(wrapped(heading, style.width, 0)));
  table.print(out, 2);
}

}  // namespace lapscope::reports
