#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <optional>

#include "reports/stats/render_stats.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

std::string field(const std::optional<std::int64_t>& number) {
  return number ? std::to_string(*number) : "";
}

}  // namespace

void render_stats_csv(Reports reports, StatsTables tables, const TextStyle&, std::ostream& out) {
  out << "trace,scope_kind,scope,table,device,share,total_ns,count,avg_ns,median_ns,min_ns,max_ns,"
         "stddev_ns,bytes,bytes_per_s,name\n";
  for (const analyzer::Report& report : reports) {
    for (const analyzer::ScopeStats& stats : report.stats) {
      for (const StatsTable& table : tables) {
        const auto sum = static_cast<double>(std::max<std::int64_t>(1, sum_of(stats.*table.rows)));
        for (const analyzer::StatsRow& row : stats.*table.rows) {
          const analyzer::Durations& of = row.durations;
          fmt::print(out, "{},{},{},{},{},{:.6f},{},{},{:.1f},{},{},{},{:.1f},{},{},{}\n",
                     csv_field(report.trace.file), name_of(stats.kind), csv_field(stats.name),
                     table.name, field(row.device), static_cast<double>(of.sum_ns) / sum, of.sum_ns,
                     of.count, of.average_ns(), of.median_ns, of.least_ns, of.most_ns,
                     of.deviation_ns, table.name == "copies" ? std::to_string(row.bytes) : "",
                     field(row.bytes_per_s), csv_field(row.name));
        }
      }
    }
  }
}

}  // namespace lapscope::reports
