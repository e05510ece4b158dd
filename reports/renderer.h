#pragma once

#include <ostream>
#include <span>
#include <string_view>

#include "analyzer/analysis/report.h"
#include "reports/named.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

// An output format of analyses. A new format needs a folder, a declaration below and a line in
// renderer_registry.cpp.
struct Renderer {
  std::string_view name;  // value of --format
  std::string_view description;
  std::string_view extension;       // of the file, such as ".txt"
  std::string_view also_extension;  // another accepted extension; may be empty
  bool draws = false;               // needs Report::timeline
  bool lists = false;               // needs Report::stats
  bool folds = false;               // needs host stacks (AnalyzeOptions::host_stacks)
  // The text renderer uses all of `style`. The JSON renderer uses only style.brief.
  void (*render)(std::span<const analyzer::Report> reports, const TextStyle& style,
                 std::ostream& out);
};

std::span<const Renderer> renderers();

inline const Renderer* find_renderer(std::string_view name) { return named(renderers(), name); }

// The Perfetto renderer is declared in perfetto/render_perfetto.h, because it can put several runs
// side by side.

// Writes one screen for each device: the problems of the recording, the verdict, the overlap, the
// causes that prevent more overlap, the first step, and the confidence. If style.verbose is set,
// writes all results.
void render_text(std::span<const analyzer::Report> reports, const TextStyle& style,
                 std::ostream& out);

// Writes one object for each trace, as documented in docs/json.md. Times are integers in ns. An
// undefined figure is null with a reason.
void render_json(std::span<const analyzer::Report> reports, std::ostream& out);

// Writes the essential results for a program or an agent, schema "lapscope-brief/1" (docs/json.md):
// verdict, scope, findings with their call sites and savings, and whether the recording is
// complete. The object for a trace has at most 4 kB. If results are left out because of this limit,
// a member of the object states this.
void render_brief_json(std::span<const analyzer::Report> reports, std::ostream& out);

// Writes GitHub Markdown for a comment on a pull request. The verdict, figures and findings are
// visible, and everything else is collapsed. The text never exceeds GitHub's limit for comments. If
// details are left out to stay within the limit, the text states this.
void render_markdown(std::span<const analyzer::Report> reports, std::ostream& out);

// Writes one self-contained page. The tables and findings need no scripts. The timeline can be
// zoomed. The content security policy does not let the page load other files. Names from the trace
// are always escaped. Needs the reports' timelines.
void render_html(std::span<const analyzer::Report> reports, std::ostream& out);

// Writes OpenMetrics text with gauges for the measures and savings of each scope, and for their
// reliability. A gauge that has no value is omitted. Values are seconds or ratios. There are no
// timestamps, because the collecting system adds them.
void render_openmetrics(std::span<const analyzer::Report> reports, std::ostream& out);

// Writes the host's time between its calls as folded stacks for flame graph tools. Each line has a
// different stack, outermost frame first, and its time in microseconds. render_folded_waits()
// writes only the part of this time that is on the critical path.
void render_folded(std::span<const analyzer::Report> reports, std::ostream& out);
void render_folded_waits(std::span<const analyzer::Report> reports, std::ostream& out);

}  // namespace lapscope::reports
