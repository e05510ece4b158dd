#pragma once

#include <ostream>
#include <span>
#include <string_view>

#include "analyzer/analysis/report.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

// One way to show results. A renderer is added by a folder of its own, its declaration below and
// one line in renderer_registry.cpp.
struct Renderer {
  std::string_view name;  // what --format takes
  std::string_view description;
  std::string_view extension;       // of the file, as ".txt"
  std::string_view also_extension;  // that is known for it, too; may be empty
  bool draws = false;               // needs Report::timeline
  bool lists = false;               // needs Report::stats
  bool folds = false;               // needs stacks of the host (AnalyzeOptions::host_stacks)
  // `style` is for what is read in a terminal; other renderers have their own looks.
  void (*render)(std::span<const analyzer::Report> reports, const TextStyle& style,
                 std::ostream& out);
};

std::span<const Renderer> renderers();

// Null if no renderer has that name.
const Renderer* find_renderer(std::string_view name);

// One a folder; that of Perfetto, which puts runs side by side, is in perfetto/render_perfetto.h.

// For people, one screen for each device: what is wrong with the recording, the verdict, how much
// overlaps, what stops the rest, what to do first, and how far to trust it. If verbose, everything
// that is known.
void render_text(std::span<const analyzer::Report> reports, const TextStyle& style,
                 std::ostream& out);

// One object per trace as documented in docs/json.md. Times are integers in ns; a figure that is
// not defined is null with a reason.
void render_json(std::span<const analyzer::Report> reports, std::ostream& out);

// What a program or an agent needs at once, schema "lapscope-brief/1" (docs/json.md): verdict,
// scope, findings with their call sites and savings, and whether the recording is complete. At most
// 4 kB a trace: what does not fit is left out, and that is said.
void render_brief_json(std::span<const analyzer::Report> reports, std::ostream& out);

// GitHub's Markdown for a comment on a pull request: the verdict, figures and findings at once, the
// rest to unfold. Never longer than a comment may be: details are left out for it, and that is
// said.
void render_markdown(std::span<const analyzer::Report> reports, std::ostream& out);

// One self-contained page: tables and findings that are read without scripts, and a timeline to
// zoom into. It loads nothing, and its content security policy does not let it. Names from the
// trace are text wherever they are. Needs the reports' timelines.
void render_html(std::span<const analyzer::Report> reports, std::ostream& out);

// Measures, savings and whether they can be relied on as OpenMetrics text: a gauge for each, of
// each scope with a value, in s or as a ratio. No instants: who collects them knows when.
void render_openmetrics(std::span<const analyzer::Report> reports, std::ostream& out);

// What the host did between its calls as folded stacks, for flame graphs of other tools: a line for
// each different stack, outermost frame first, and its microseconds. The second function covers the
// time for which the device waited for the host.
void render_folded(std::span<const analyzer::Report> reports, std::ostream& out);
void render_folded_waits(std::span<const analyzer::Report> reports, std::ostream& out);

}  // namespace lapscope::reports
