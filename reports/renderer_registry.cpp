#include "reports/perfetto/render_perfetto.h"
#include "reports/renderer.h"
#include "reports/stats/render_stats.h"

namespace lapscope::reports {
namespace {

// A renderer that has its own looks.
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
  render_stats_csv(reports, stats_tables(), style, out);
}

constexpr Renderer all[] = {
    {"text", "one screen for people; --verbose for every table", ".txt", "", false, false,
     render_text},
    {"json", "schema lapscope-report/1; an array when several traces are given", ".json", "", false,
     false, render_any_json},
    {"markdown", "for a comment on a pull request", ".md", ".markdown", false, false,
     without_style<render_markdown>},
    {"html", "one page with a timeline, for any browser; needs no network", ".html", ".htm", true,
     false, without_style<render_html>},
    {"perfetto", "a trace for ui.perfetto.dev and trace_processor", ".perfetto-trace", ".pftrace",
     true, false, without_style<render_perfetto>},
    {"csv", "tables of kernels, copies and calls by name, as lapscope stats has them", ".csv", "",
     false, true, render_csv},
};

}  // namespace

std::span<const Renderer> renderers() { return all; }

const Renderer* find_renderer(std::string_view name) {
  for (const Renderer& renderer : all) {
    if (renderer.name == name) return &renderer;
  }
  return nullptr;
}

}  // namespace lapscope::reports
