#include <algorithm>
#include <array>
#include <vector>

#include "reports/ranks/render_ranks.h"

namespace lapscope::reports {
namespace {

constexpr std::array renderers = {
    RankRenderer{
        .name = "text", .extension = ".txt", .is_read_in_terminal = true, .render = render_ranks},
    RankRenderer{.name = "json",
                 .extension = ".json",
                 .is_read_in_terminal = true,
                 .render = render_ranks_json},
    RankRenderer{.name = "html", .extension = ".html", .render = render_ranks_html},
    RankRenderer{.name = "perfetto",
                 .extension = ".perfetto-trace",
                 .draws = true,
                 .render = render_ranks_perfetto}};

}  // namespace

std::span<const RankRenderer> rank_renderers() { return renderers; }

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

}  // namespace lapscope::reports
