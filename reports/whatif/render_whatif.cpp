#include "reports/whatif/render_whatif.h"

#include <fmt/format.h>

#include <cmath>

#include "reports/text/layout.h"
#include "reports/text/paint.h"
#include "reports/text/table.h"
#include "reports/words/engine_words.h"
#include "reports/words/format.h"
#include "reports/words/printable.h"

namespace lapscope::reports {
namespace {

using analyzer::WhatIfScope;

std::string ratio(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "n/a";
}

std::string percent(double share) { return fmt::format("{:+.1f} %", share * 100); }

void print_scope(const WhatIfScope& scope, const TextStyle& style, std::ostream& out) {
  const Paint paint(style);
  std::string title = fmt::format("device {}", scope.device);
  if (!scope.device_name.empty()) title += " (" + printable(scope.device_name) + ")";
  if (!scope.range.empty()) title += ", range '" + printable(scope.range) + "'";
  out << '\n' << paint.bold(title) << '\n';
  Table table({Table::Align::left, Table::Align::right, Table::Align::right});
  table.add({"", "wall", "overlap_ratio"});
  table.add({"recorded", format_ns(scope.wall_ns), ratio(scope.overlap_ratio)});
  table.add({"replayed unchanged", format_ns(scope.replay.wall_ns), ""});
  table.add(
      {"predicted", format_ns(scope.predicted.wall_ns), ratio(scope.predicted.overlap_ratio)});
  table.print(out, 2);
  const std::int64_t saving = scope.replay.wall_ns - scope.predicted.wall_ns;
  out << "  "
      << wrapped(fmt::format("Saves {} ({} of the wall time). The replay of the unchanged run is "
                             "{} off, and so may the prediction be.",
                             format_ns(saving), format_share(saving, scope.replay.wall_ns),
                             percent(scope.replay.error)),
                 style.width, 2)
      << '\n';
  const analyzer::CausesResult& after = scope.after;
  if (after.findings.empty()) {
    out << "  "
        << wrapped(fmt::format("Then nothing else is found: {} is busy {:.1f} % of the time.",
                               word_of_code(after.bound_by), after.bound_share * 100),
                   style.width, 2)
        << '\n';
    return;
  }
  out << "  the next bottleneck\n";
  Table next({Table::Align::left, Table::Align::right, Table::Align::right, Table::Align::left});
  for (const analyzer::FindingResult& finding : after.findings) {
    next.add({std::string(finding.code), format_ns(finding.saving_ns),
              fmt::format("{:.1f} %", finding.saving_share * 100), shortened(finding.what, 40)});
  }
  next.print(out, 4);
}

}  // namespace

void render_whatif_text(const analyzer::WhatIfReport& report, const TextStyle& style,
                        std::ostream& out) {
  out << printable(report.trace.file) << '\n';
  for (const std::string& change : report.changes) {
    out << "  " << wrapped("if " + change, style.width, 2) << '\n';
  }
  if (report.needs_judgement) {
    out << "  "
        << wrapped("Whether the program's data allow it, no trace shows: that is for you to judge.",
                   style.width, 2)
        << '\n';
  }
  for (const WhatIfScope& scope : report.scopes) print_scope(scope, style, out);
}

void render_fixes(std::ostream& out) {
  Table table({Table::Align::left, Table::Align::left});
  for (const analyzer::Fix* fix : analyzer::fixes()) {
    std::string change(fix->change);
    if (fix->needs_judgement) change += " (if its data allow it)";
    table.add({std::string(code_of(fix->cause)), change});
    if (!fix->argument.empty()) {
      table.add({"  :N", std::string(fix->argument)});
    }
  }
  table.add({"CODE:site=PLACE", "only there: a place of the finding; * for any characters"});
  table.add({"scale:ENGINE=N", "compute, h2d, d2h or other is N times as fast"});
  table.print(out, 0);
}

}  // namespace lapscope::reports
