#include "reports/diff/diff_renderer.h"

namespace lapscope::reports {
namespace {

using Draws = DiffRenderer::Draws;

constexpr DiffRenderer all[] = {
    {"text", "tables for people", ".txt", "", Draws::no, render_diff_text},
    {"json", "schema lapscope-diff/1", ".json", "", Draws::no, render_diff_json},
    {"markdown", "for comments on pull requests", ".md", ".markdown", Draws::no,
     render_diff_markdown},
    {"html", "one page with both timelines, for any browser; needs no network", ".html", ".htm",
     Draws::what_is_there, render_diff_html},
    {"perfetto", "both runs in one trace for ui.perfetto.dev and trace_processor",
     ".perfetto-trace", ".pftrace", Draws::both, render_diff_perfetto},
};

}  // namespace

std::span<const DiffRenderer> diff_renderers() { return all; }

}  // namespace lapscope::reports
