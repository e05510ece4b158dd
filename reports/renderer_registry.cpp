#include "reports/perfetto/render_perfetto.h"
#include "reports/renderer.h"
#include "reports/stats/render_stats.h"

namespace lapscope::reports {
namespace {

// Adapts a renderer that needs no style.
template <void render(std::span<const analyzer::Report>, std::ostream&)>
void without_style(std::span<const analyzer::Report> reports, const TextStyle&, std::ostream& out) {
  render(reports, out);
}

void render_any_json(std::span<const analyzer::Report> reports, const TextStyle& style,
                     std::ostream& out) {
  (style.brief ? render_brief_json : render_json)(reports, out);
}

void render_csv(std::span<const analyzer::Report> reports, const TextStyle& style,
                std::ostream& out) {
  render_stats_csv(reports, stats_tables, style, out);
}

constexpr Renderer all[] = {
    {.name = "text",
     .description = "one screen for people; --verbose for every table",
     .extension = ".txt",
     .render = render_text},
    {.name = "json",
     .description = "schema lapscope-report/1; an array when several traces are given",
     .extension = ".json",
     .render = render_any_json},
    {.name = "markdown",
     .description = "for a comment on a pull request",
     .extension = ".md",
     .also_extension = ".markdown",
     .render = without_style<render_markdown>},
    {.name = "html",
     .description = "one page with a timeline, for any browser; needs no network",
     .extension = ".html",
     .also_extension = ".htm",
     .draws = true,
     .folds = true,
     .render = without_style<render_html>},
    {.name = "perfetto",
     .description = "a trace for ui.perfetto.dev and trace_processor",
     .extension = ".perfetto-trace",
     .also_extension = ".pftrace",
     .draws = true,
     .render = without_style<render_perfetto>},
    {.name = "csv",
     .description = "tables of kernels, copies and calls by name, as lapscope stats has them",
     .extension = ".csv",
     .lists = true,
     .render = render_csv},
    {.name = "openmetrics",
     .description = "figures as gauges, for Prometheus and what reads its text",
     .extension = ".prom",
     .also_extension = ".om",
     .render = without_style<render_openmetrics>},
    {.name = "folded",
     .description = "stacks of the host between its calls, for flame graphs of other tools",
     .extension = ".folded",
     .folds = true,
     .render = without_style<render_folded>},
    {.name = "folded-waits",
     .description = "likewise, only on the critical path",
     .extension = ".folded-waits",
     .folds = true,
     .render = without_style<render_folded_waits>},
};

}  // namespace

std::span<const Renderer> renderers() { return all; }

}  // namespace lapscope::reports
