#include <nlohmann/json.hpp>

#include "analyzer/model/harmless_text.h"
#include "reports/stats/render_stats.h"

namespace lapscope::reports {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<std::int64_t>& value) { return value ? Json(*value) : nullptr; }

Json row_json(const analyzer::StatsRow& row, std::int64_t sum) {
  const analyzer::Durations& of = row.durations;
  return {{"name", row.name},
          {"device", number(row.device)},
          {"share", sum > 0 ? static_cast<double>(of.sum_ns) / static_cast<double>(sum) : 0},
          {"total_ns", of.sum_ns},
          {"count", of.count},
          {"avg_ns", of.average_ns()},
          {"median_ns", of.median_ns},
          {"min_ns", of.least_ns},
          {"max_ns", of.most_ns},
          {"stddev_ns", of.deviation_ns},
          {"bytes", row.bytes},
          {"bytes_per_s", number(row.bytes_per_s)}};
}

Json report_json(const analyzer::Report& report, StatsTables tables) {
  Json scopes = Json::array();
  for (const analyzer::ScopeStats& stats : report.stats) {
    Json scope = {{"kind", name_of(stats.kind)},
                  {"name", stats.name},
                  {"window", {{"start", stats.window.start}, {"end", stats.window.end}}}};
    for (const StatsTable& table : tables) {
      Json rows = Json::array();
      const std::int64_t sum = sum_of(stats.*table.rows);
      for (const auto& row : stats.*table.rows) rows.push_back(row_json(row, sum));
      scope[std::string(table.name)] = std::move(rows);
    }
    scopes.push_back(std::move(scope));
  }
  return {{"schema", "lapscope-stats/1"},
          {"tool", {{"version", report.tool_version}}},
          {"trace", report.trace.file},
          {"scopes", std::move(scopes)}};
}

}  // namespace

void render_stats_json(Reports reports, StatsTables tables, const TextStyle&, std::ostream& out) {
  Json json = Json::array();
  for (const auto& report : reports) json.push_back(report_json(report, tables));
  const Json& shown = reports.size() == 1 ? json.front() : json;
  out << analyzer::harmless_json(shown.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace lapscope::reports
