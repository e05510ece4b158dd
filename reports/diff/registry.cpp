#include "reports/diff/diff_renderer.h"

namespace lapscope::reports {
namespace {

// A renderer that shows figures only.
template <void render(const analyzer::Comparison&, std::ostream&)>
void without_runs(const analyzer::Comparison& comparison, const DrawnRuns&, std::ostream& out) {
  render(comparison, out);
}

using Draws = DiffRenderer::Draws;

constexpr DiffRenderer all[] = {
    {"text", "tables for people", ".txt", Draws::no, without_runs<render_diff_text>},
    {"json", "schema lapscope-diff/1", ".json", Draws::no, without_runs<render_diff_json>},
    {"markdown", "for comments on pull requests", ".md", Draws::no,
     without_runs<render_diff_markdown>},
    {"html", "one page with both timelines, for any browser; needs no network", ".html",
     Draws::what_is_there, render_diff_html},
    {"perfetto", "both runs in one trace for ui.perfetto.dev and trace_processor",
     ".perfetto-trace", Draws::both, render_diff_perfetto},
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
