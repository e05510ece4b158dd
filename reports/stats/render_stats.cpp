#include "reports/stats/render_stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

#include "analyzer/model/harmless_text.h"
#include "reports/text/layout.h"
#include "reports/words/format.h"
#include "reports/words/scope_words.h"

namespace lapscope::reports {
namespace {

using analyzer::ScopeStats;
using Align = Table::Align;
using Json = nlohmann::ordered_json;

// Returns the printable title of a scope, such as "device 0 (NVIDIA H200), steady state".
std::string scope_title(const ScopeStats& stats, const analyzer::Report& report) {
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

// Returns the sum of a table's rows. The share of a row is its part of this sum.
std::int64_t sum_of(const std::vector<analyzer::StatsRow>& rows) {
  std::int64_t sum = 0;
  for (const analyzer::StatsRow& row : rows) sum += row.durations.sum_ns;
  return sum;
}

std::string format_bytes(analyzer::Bytes bytes) {
  constexpr std::pair<double, const char*> units[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}};
  const auto count = static_cast<double>(bytes);
  for (const auto& [size, unit] : units) {
    if (count >= size) return fmt::format("{:.2f} {}", count / size, unit);
  }
  return fmt::format("{} B", bytes);
}

void print(const StatsTable& table, const std::vector<analyzer::StatsRow>& rows, bool has_devices,
           const TextStyle& style, std::ostream& out) {
  if (rows.empty()) return;
  const bool is_of_ops = rows.front().device.has_value();
  const bool has_bytes = table.name == "copies";
  std::vector<std::string> head = {"time",   "total", "count", "avg",
                                   "median", "min",   "max",   "std dev"};
  if (has_bytes) head.insert(head.end(), {"bytes", "rate"});
  if (has_devices && is_of_ops) head.emplace_back("device");
  std::vector<Align> aligns(head.size(), Align::right);
  aligns.push_back(Align::left);
  head.emplace_back("name");
  Table text(std::move(aligns));
  text.add(head);
  const std::int64_t sum = sum_of(rows);
  for (const analyzer::StatsRow& row : rows) {
    const analyzer::Durations& of = row.durations;
    std::vector<std::string> cells = {
        format_share(of.sum_ns, sum), format_ns(of.sum_ns),
        std::to_string(of.count),     format_ns(std::llround(of.average_ns())),
        format_ns(of.median_ns),      format_ns(of.least_ns),
        format_ns(of.most_ns),        format_ns(std::llround(of.deviation_ns))};
    if (has_bytes) {
      cells.push_back(format_bytes(row.bytes));
      cells.push_back(row.bytes_per_s ? format_rate(*row.bytes_per_s) : "");
    }
    if (has_devices && is_of_ops) cells.push_back(std::to_string(*row.device));
    cells.push_back(printable(row.name));
    text.add(std::move(cells));
  }
  out << fmt::format("\n{}\n", Paint(style).bold(table.name));
  std::ostringstream printed;
  text.print(printed, 2);
  // The last column has the names. Long lines are cut there, because names are the longest texts.
  // At least 32 characters of each name are shown.
  constexpr std::size_t least = 32;
  std::istringstream lines(printed.str());
  std::string line;
  std::getline(lines, line);
  const std::size_t width = std::max(style.width, display_width(line) - 4 + least);
  do {
    out << (style.verbose ? line : shortened(line, width)) << '\n';
  } while (std::getline(lines, line));
}

std::string field(const std::optional<std::int64_t>& number) {
  return number ? std::to_string(*number) : "";
}

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

void render_stats_text(Reports reports, StatsTables tables, const TextStyle& style,
                       std::ostream& out) {
  bool is_first = true;
  for (const analyzer::Report& report : reports) {
    for (const analyzer::ScopeStats& stats : report.stats) {
      out << fmt::format("{}{}\n", is_first ? "" : "\n",
                         Paint(style).bold(fmt::format(
                             "{}: {}, {} from {} on", printable(report.trace.file),
                             scope_title(stats, report), format_ns(stats.window.length()),
                             format_instant(stats.window.start - report.first_op))));
      is_first = false;
      for (const StatsTable& table : tables) {
        print(table, stats.*table.rows, report.devices.size() > 1, style, out);
      }
    }
  }
}

void render_stats_csv(Reports reports, StatsTables tables, const TextStyle&, std::ostream& out) {
  out << "trace,scope_kind,scope,table,device,share,total_ns,count,avg_ns,median_ns,min_ns,max_ns,"
         "stddev_ns,bytes,bytes_per_s,name\n";
  for (const analyzer::Report& report : reports) {
    for (const analyzer::ScopeStats& stats : report.stats) {
      for (const StatsTable& table : tables) {
        const auto sum = static_cast<double>(std::max<std::int64_t>(1, sum_of(stats.*table.rows)));
        for (const analyzer::StatsRow& row : stats.*table.rows) {
          const analyzer::Durations& of = row.durations;
          out << fmt::format(
              "{},{},{},{},{},{:.6f},{},{},{:.1f},{},{},{},{:.1f},{},{},{}\n",
              csv_field(report.trace.file), name_of(stats.kind), csv_field(stats.name), table.name,
              field(row.device), static_cast<double>(of.sum_ns) / sum, of.sum_ns, of.count,
              of.average_ns(), of.median_ns, of.least_ns, of.most_ns, of.deviation_ns,
              table.name == "copies" ? std::to_string(row.bytes) : "", field(row.bytes_per_s),
              csv_field(row.name));
        }
      }
    }
  }
}

void render_stats_json(Reports reports, StatsTables tables, const TextStyle&, std::ostream& out) {
  Json json = Json::array();
  for (const auto& report : reports) json.push_back(report_json(report, tables));
  const Json& shown = reports.size() == 1 ? json.front() : json;
  out << analyzer::harmless_json(shown.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace lapscope::reports
