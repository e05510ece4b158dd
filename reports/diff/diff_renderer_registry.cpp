#include "reports/diff/diff_renderer.h"

namespace lapscope::reports {
namespace {

// Adapts a renderer that needs neither the runs nor a style.
template <void render(const analyzer::Comparison&, std::ostream&)>
void without_runs(const analyzer::Comparison& comparison, const DrawnRuns&, const TextStyle&,
                  std::ostream& out) {
  render(comparison, out);
}

template <void render(const analyzer::Comparison&, const DrawnRuns&, std::ostream&)>
void without_style(const analyzer::Comparison& comparison, const DrawnRuns& runs, const TextStyle&,
                   std::ostream& out) {
  render(comparison, runs, out);
}

void text(const analyzer::Comparison& comparison, const DrawnRuns&, const TextStyle& style,
          std::ostream& out) {
  render_diff_text(comparison, style, out);
}

using Draws = DiffRenderer::Draws;

constexpr DiffRenderer all[] = {
    {"text", "tables for people", ".txt", "", Draws::no, text},
    {"json", "schema lapscope-diff/1", ".json", "", Draws::no, without_runs<render_diff_json>},
    {"markdown", "for comments on pull requests", ".md", ".markdown", Draws::no,
     without_runs<render_diff_markdown>},
    {"html", "one page with both timelines, for any browser; needs no network", ".html", ".htm",
     Draws::what_is_there, without_style<render_diff_html>},
    {"perfetto", "both runs in one trace for ui.perfetto.dev and trace_processor",
     ".perfetto-trace", ".pftrace", Draws::both, without_style<render_diff_perfetto>},
};

}  // namespace

std::span<const DiffRenderer> diff_renderers() { return all; }

const DiffRenderer* find_diff_renderer(std::string_view name) {
  for (const DiffRenderer& renderer : all) {
    if (renderer.name == name) return &renderer;
  }
  return nullptr;
}

}  // namespace lapscope::reports
