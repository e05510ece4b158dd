#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "reports/stats/render_stats.h"
#include "reports/text/layout.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using Align = Table::Align;

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
  fmt::print(out, "\n{}\n", Paint(style).bold(table.name));
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

}  // namespace

void render_stats_text(Reports reports, StatsTables tables, const TextStyle& style,
                       std::ostream& out) {
  bool is_first = true;
  for (const analyzer::Report& report : reports) {
    for (const analyzer::ScopeStats& stats : report.stats) {
      fmt::print(
          out, "{}{}\n", is_first ? "" : "\n",
          Paint(style).bold(fmt::format("{}: {}, {} from {} on", printable(report.trace.file),
                                        title_of(stats, report), format_ns(stats.window.length()),
                                        format_instant(stats.window.start - report.first_op))));
      is_first = false;
      for (const StatsTable& table : tables) {
        print(table, stats.*table.rows, report.devices.size() > 1, style, out);
      }
    }
  }
}

}  // namespace lapscope::reports
