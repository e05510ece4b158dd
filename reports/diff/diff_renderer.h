#pragma once

#include <ostream>
#include <string_view>

#include "analyzer/analysis/report.h"
#include "analyzer/diff/comparison.h"
#include "analyzer/intervals/units.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

// The reports with their timelines: one before the change and one after it. A pointer is null if
// there is no report, for example for a summary.
struct DrawnRuns {
  const analyzer::Report* before = nullptr;
  const analyzer::Report* after = nullptr;
};

// Two instants that a drawing of two runs aligns, in ns since the start of each session. They are
// the starts of the first range that both runs have. Without a common range, they are the starts of
// the first ops. Both runs need a timeline.
struct Alignment {
  analyzer::Ns before = 0;
  analyzer::Ns after = 0;
};
Alignment align(const analyzer::Report& before, const analyzer::Report& after);

// An output format of a comparison. To add one, write its file, its declaration and its line below.
struct DiffRenderer {
  std::string_view name;  // value of --format
  std::string_view description;
  std::string_view extension;       // of the file, such as ".txt"
  std::string_view also_extension;  // another accepted extension; may be empty
  enum class Draws { no, what_is_there, both } draws = Draws::no;  // which of DrawnRuns it needs
  // Only renderers of output for terminals use `style`.
  void (*render)(const analyzer::Comparison& comparison, const DrawnRuns& runs,
                 const TextStyle& style, std::ostream& out);
};

// Each renderer is in its own file.
void render_diff_text(const analyzer::Comparison& comparison, const DrawnRuns& runs,
                      const TextStyle& style, std::ostream& out);
void render_diff_json(const analyzer::Comparison& comparison, const DrawnRuns& runs,
                      const TextStyle& style, std::ostream& out);
void render_diff_markdown(const analyzer::Comparison& comparison, const DrawnRuns& runs,
                          const TextStyle& style, std::ostream& out);
// Writes one self-contained page with both timelines, one above the other.
void render_diff_html(const analyzer::Comparison& comparison, const DrawnRuns& runs,
                      const TextStyle& style, std::ostream& out);
// Writes both runs into one trace, as processes A and B. Each is written as by render_perfetto().
// Needs both runs.
void render_diff_perfetto(const analyzer::Comparison& comparison, const DrawnRuns& runs,
                          const TextStyle& style, std::ostream& out);

inline constexpr DiffRenderer diff_renderers[] = {
    {"text", "tables for people", ".txt", "", DiffRenderer::Draws::no, render_diff_text},
    {"json", "schema lapscope-diff/1", ".json", "", DiffRenderer::Draws::no, render_diff_json},
    {"markdown", "for comments on pull requests", ".md", ".markdown", DiffRenderer::Draws::no,
     render_diff_markdown},
    {"html", "one page with both timelines, for any browser; needs no network", ".html", ".htm",
     DiffRenderer::Draws::what_is_there, render_diff_html},
    {"perfetto", "both runs in one trace for ui.perfetto.dev and trace_processor",
     ".perfetto-trace", ".pftrace", DiffRenderer::Draws::both, render_diff_perfetto},
};

}  // namespace lapscope::reports
