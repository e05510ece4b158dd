#include <fmt/format.h>

#include <tuple>

#include "reports/stats/render_stats.h"
#include "reports/words/scope_words.h"

namespace lapscope::reports {
namespace {

using analyzer::ScopeStats;

constexpr StatsTable tables[] = {{"kernels", &ScopeStats::kernels},
                                 {"copies", &ScopeStats::copies},
                                 {"calls", &ScopeStats::calls}};

constexpr StatsRenderer renderers[] = {
    {"text", render_stats_text}, {"csv", render_stats_csv}, {"json", render_stats_json}};

}  // namespace

std::span<const StatsTable> stats_tables() { return tables; }

std::span<const StatsRenderer> stats_renderers() { return renderers; }

std::string title_of(const ScopeStats& stats, const analyzer::Report& report) {
  const analyzer::DeviceResult* found = nullptr;
  const analyzer::RangeResult* of_range = nullptr;
  std::size_t devices = 0;
  for (const analyzer::DeviceResult& device : report.devices) {
    if (device.ranges.empty()) {
      const bool is_own =
          stats.kind == analyzer::ScopeKind::device || stats.kind == analyzer::ScopeKind::window;
      if (is_own && devices++ == 0) found = &device;
    }
    for (const analyzer::RangeResult& range : device.ranges) {
      if (range.kind != stats.kind || range.name != stats.name) continue;
      if (devices++ == 0) std::tie(found, of_range) = std::tuple(&device, &range);
    }
  }
  if (found == nullptr) return "";
  if (devices == 1) return of_range ? title_of(*of_range, found) : title_of(*found);
  return fmt::format("{}{} devices", of_range ? title_of(*of_range) + " on " : "", devices);
}

std::int64_t sum_of(const std::vector<analyzer::StatsRow>& rows) {
  std::int64_t sum = 0;
  for (const analyzer::StatsRow& row : rows) sum += row.durations.sum_ns;
  return sum;
}

}  // namespace lapscope::reports
