#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "reports/diff/diff_renderer.h"
#include "reports/diff/diff_words.h"
#include "reports/gate/gate_words.h"
#include "reports/text/layout.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using analyzer::FigureChange;
using analyzer::MeasureUnit;
using Align = Table::Align;

// A table of figures. If the table is too wide, names are shortened, but not below 20 columns.
// Figures are never shortened, so with the spreads of several runs, the table may be too wide.
class ChangeTable {
 public:
  void add(const std::string& name, const FigureChange& figure, MeasureUnit unit) {
    rows_.push_back({name, cells_of(figure, unit), figure.change});
  }

  void print(std::ostream& out, const TextStyle& style, std::size_t indent) const {
    std::size_t widest[] = {6, 5, 10, 0};  // of the columns' heads
    for (const auto& [name, cells, change] : rows_) {
      std::size_t column = 0;
      for (const std::string* cell :
           {&cells.before, &cells.after, &cells.difference, &cells.meaning}) {
        widest[column] = std::max(widest[column], display_width(*cell));
        ++column;
      }
    }
    std::size_t beside = indent;
    for (const std::size_t width : widest) beside += width + 2;
    constexpr std::size_t least = 20;
    const std::size_t room = style.width > beside + least ? style.width - beside : least;
    Table table({Align::left, Align::right, Align::right, Align::right, Align::left});
    table.add({"", "before", "after", "difference", ""});
    const Paint paint(style);
    for (const Row& row : rows_) {
      table.add({shortened(row.name, std::min(room, shown_name)), row.cells.before, row.cells.after,
                 row.cells.difference, painted(paint, row)});
    }
    table.print(out, indent);
  }

 private:
  struct Row {
    std::string name;
    ChangeCells cells;
    analyzer::Change change;
  };

  static std::string painted(const Paint& paint, const Row& row) {
    switch (row.change) {
      case analyzer::Change::better:
        return paint.good(row.cells.meaning);
      case analyzer::Change::worse:
        return paint.bad(row.cells.meaning);
      default:
        return row.cells.meaning;
    }
  }

  std::vector<Row> rows_;
};

// Prints wrapped words; all lines are indented.
void print_wrapped(std::string_view text, const TextStyle& style, std::size_t indent,
                   std::ostream& out) {
  out << fmt::format("{:{}}{}\n", "", indent, wrapped(printable(text), style.width, indent));
}

void print_times(const char* title, const std::vector<analyzer::TimeChange>& times,
                 const TextStyle& style, std::ostream& out) {
  if (times.empty()) return;
  out << fmt::format("\n  {}\n", title);
  ChangeTable table;
  for (std::size_t i = 0; i < std::min(shown_rows, times.size()); ++i) {
    table.add(times[i].code, times[i].ns, MeasureUnit::ns);
  }
  table.print(out, style, 4);
}

void print_findings(const char* title, const std::vector<analyzer::FindingChange>& findings,
                    const TextStyle& style, std::ostream& out) {
  if (findings.empty()) return;
  out << fmt::format("\n  {}\n", title);
  for (const auto& finding : findings) {
    print_wrapped(finding_text(finding), style, 4, out);
    if (!finding.explanation.empty()) {
      print_wrapped(finding.explanation + " " + finding.fix, style, 6, out);
    }
  }
}

void print_kernels(const std::vector<analyzer::KernelChange>& kernels, const TextStyle& style,
                   std::ostream& out) {
  const auto print = [&](const char* title, auto figure, MeasureUnit unit) {
    out << fmt::format("\n  {}\n", title);
    ChangeTable table;
    for (std::size_t i = 0; i < std::min(shown_rows, kernels.size()); ++i) {
      table.add(kernels[i].name, kernels[i].*figure, unit);
    }
    table.print(out, style, 4);
  };
  if (kernels.empty()) return;
  print("kernels: total time", &analyzer::KernelChange::sum_ns, MeasureUnit::ns);
  print("kernels: time of each", &analyzer::KernelChange::mean_ns, MeasureUnit::ns);
  print("kernels: share of their time beside other work", &analyzer::KernelChange::shared,
        MeasureUnit::ratio);
  if (kernels.size() > shown_rows) {
    out << fmt::format("    and {} kernels that differ less\n", kernels.size() - shown_rows);
  }
}

void print_launches(const std::vector<analyzer::LaunchChange>& launches, const TextStyle& style,
                    std::ostream& out) {
  if (launches.empty()) return;
  out << "\n  kernels: launches that changed while others of their kernel did not\n";
  ChangeTable table;
  for (std::size_t i = 0; i < std::min(shown_rows, launches.size()); ++i) {
    table.add(launches[i].name + ", " + launch_text(launches[i]), launches[i].ns, MeasureUnit::ns);
  }
  table.print(out, style, 4);
  if (launches.size() > shown_rows) {
    out << fmt::format("    and {} launches that differ less\n", launches.size() - shown_rows);
  }
}

void print_side(const char* name, const analyzer::ComparedSide& side, std::ostream& out) {
  for (const std::string& file : side.files) {
    out << fmt::format("{}  {}\n", name, printable(file));
  }
}

void print_comparison(const analyzer::Comparison& comparison, const TextStyle& style,
                      std::ostream& out) {
  const std::string verdict = comparison.trouble.empty()
                                  ? verdict_sentence(comparison)
                                  : "Inconclusive: " + sentence_of(comparison.trouble);
  if (!verdict.empty()) {
    out << fmt::format("{}\n", Paint(style).bold(wrapped(printable(verdict), style.width, 2)));
  }
  print_side("before", comparison.before, out);
  print_side("after ", comparison.after, out);
  if (const std::string scope = scope_sentence(comparison); !scope.empty())
    print_wrapped(scope, style, 0, out);
  for (const std::string& note : sentences_of(comparison.notes))
    print_wrapped("note: " + note, style, 0, out);
  print_wrapped(noise_sentence(comparison), style, 0, out);
  for (const analyzer::WorkChange& work : comparison.works) {
    out << fmt::format("\n{}\n", printable(work.name));
    ChangeTable table;
    for (const auto& change : work.measures) {
      table.add(std::string(change.measure->name), change.figure, change.measure->unit);
    }
    table.print(out, style, 2);
    print_times("idle time by cause", work.gaps, style, out);
    print_times("critical path", work.blame, style, out);
    print_times("host time between calls", work.host_time, style, out);
    print_findings("findings gained", work.gained, style, out);
    print_findings("findings lost", work.lost, style, out);
    print_findings("findings kept", work.kept, style, out);
    print_kernels(work.kernels, style, out);
    print_launches(work.launches, style, out);
  }
}

}  // namespace

void render_diff_text(const analyzer::Comparison& comparison, const DrawnRuns&,
                      const TextStyle& style, std::ostream& out) {
  std::ostringstream text;
  print_comparison(comparison, style, text);
  out << (style.unicode ? text.str() : in_ascii(text.str()));
}

}  // namespace lapscope::reports
