#include <algorithm>
#include <vector>

#include "reports/perfetto/render_perfetto.h"
#include "reports/ranks/render_ranks.h"

namespace lapscope::reports {

std::vector<RankedReport> reports_by_rank(const RunReport& run) {
  std::vector<RankedReport> all;
  for (const analyzer::RankResult& rank : run.run.ranks) {
    for (const analyzer::Report& report : run.reports) {
      if (report.trace.file != rank.file) continue;
      const bool is_listed = std::any_of(
          all.begin(), all.end(), [&](const RankedReport& one) { return one.report == &report; });
      if (!is_listed) all.push_back({&rank, &report, report.trace.session_start + rank.offset});
    }
  }
  return all;
}

void render_ranks_perfetto(const RunReport& run, const TextStyle&, std::ostream& out) {
  const std::vector<RankedReport> ranks = reports_by_rank(run);
  const auto first = std::min_element(
      ranks.begin(), ranks.end(),
      [](const RankedReport& a, const RankedReport& b) { return a.clock_ns < b.clock_ns; });
  std::vector<PerfettoRun> processes;
  for (const RankedReport& rank : ranks) {
    processes.push_back({rank.report,
                         "rank " + rank.result->name + " (" + rank.report->trace.file + ")", "",
                         rank.clock_ns - first->clock_ns});
  }
  render_perfetto(processes, out);
}

}  // namespace lapscope::reports
