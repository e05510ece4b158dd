#pragma once

#include <ostream>
#include <span>
#include <string_view>

#include "analyzer/analysis/report.h"
#include "analyzer/diff/comparison.h"
#include "analyzer/intervals/units.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

// The runs that stand for the sides of a comparison where they are drawn: with a timeline, or null
// for a side whose run is not at hand, as of a summary.
struct DrawnRuns {
  const analyzer::Report* before = nullptr;
  const analyzer::Report* after = nullptr;
};

// Where the evaluated work of two runs begins, in ns since their session starts: these instants are
// aligned. The work begins with the first range that was evaluated in both runs, by the order of
// names, else with the first op. Both runs need a timeline.
struct Alignment {
  analyzer::Ns before = 0;
  analyzer::Ns after = 0;
};
Alignment align(const analyzer::Report& before, const analyzer::Report& after);

// One way to show a comparison. A renderer is added by a file of its own, its declaration below and
// one line in diff_renderer_registry.cpp.
struct DiffRenderer {
  std::string_view name;  // what --format takes
  std::string_view description;
  std::string_view extension;       // of the file, as ".txt"
  std::string_view also_extension;  // that is known for it, too; may be empty
  enum class Draws { no, what_is_there, both } draws = Draws::no;  // of DrawnRuns
  // `style` is for what is read in a terminal; other renderers have their own looks.
  void (*render)(const analyzer::Comparison& comparison, const DrawnRuns& runs,
                 const TextStyle& style, std::ostream& out);
};

std::span<const DiffRenderer> diff_renderers();

// Null if no renderer has that name.
const DiffRenderer* find_diff_renderer(std::string_view name);

// One a file.
void render_diff_text(const analyzer::Comparison& comparison, const TextStyle& style,
                      std::ostream& out);
void render_diff_json(const analyzer::Comparison& comparison, std::ostream& out);
void render_diff_markdown(const analyzer::Comparison& comparison, std::ostream& out);
// One self-contained page, as of render_html(), with both timelines one above the other.
void render_diff_html(const analyzer::Comparison& comparison, const DrawnRuns& runs,
                      std::ostream& out);
// Both runs in one trace, as of render_perfetto(): processes A and B. Needs both runs.
void render_diff_perfetto(const analyzer::Comparison& comparison, const DrawnRuns& runs,
                          std::ostream& out);

}  // namespace lapscope::reports
