#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

#include "reports/diff/diff_renderer.h"
#include "reports/diff/wording.h"
#include "reports/text/table.h"
#include "reports/words/printable.h"

namespace lapscope::reports {
namespace {

using analyzer::FigureChange;
using analyzer::MeasureUnit;
using Align = Table::Align;

constexpr std::size_t shown_rows = 8;
constexpr std::size_t name_width = 48;

Table begun() {
  Table table({Align::left, Align::right, Align::right, Align::right, Align::left});
  table.add({"", "before", "after", "difference", ""});
  return table;
}

void add_row(Table& table, std::string name, const FigureChange& figure, MeasureUnit unit) {
  const ChangeCells cells = cells_of(figure, unit);
  table.add({std::move(name), cells.before, cells.after, cells.difference, cells.meaning});
}

void print_times(const char* title, const std::vector<analyzer::TimeChange>& times,
                 std::ostream& out) {
  if (times.empty()) return;
  fmt::print(out, "\n  {}\n", title);
  Table table = begun();
  for (std::size_t i = 0; i < std::min(shown_rows, times.size()); ++i) {
    add_row(table, times[i].code, times[i].ns, MeasureUnit::ns);
  }
  table.print(out, 4);
}

void print_findings(const char* title, const std::vector<analyzer::FindingChange>& findings,
                    std::ostream& out) {
  if (findings.empty()) return;
  fmt::print(out, "\n  {}\n", title);
  for (const auto& finding : findings) {
    fmt::print(out, "    {}\n", printable(finding_text(finding)));
    if (!finding.explanation.empty()) {
      fmt::print(out, "      {} {}\n", printable(finding.explanation), printable(finding.fix));
    }
  }
}

void print_kernels(const std::vector<analyzer::KernelChange>& kernels, std::ostream& out) {
  const auto print = [&](const char* title, auto figure, MeasureUnit unit) {
    fmt::print(out, "\n  {}\n", title);
    Table table = begun();
    for (std::size_t i = 0; i < std::min(shown_rows, kernels.size()); ++i) {
      add_row(table, shortened(kernels[i].name, name_width), kernels[i].*figure, unit);
    }
    table.print(out, 4);
  };
  if (kernels.empty()) return;
  print("kernels: time of all", &analyzer::KernelChange::sum_ns, MeasureUnit::ns);
  print("kernels: time of one", &analyzer::KernelChange::mean_ns, MeasureUnit::ns);
  print("kernels: share of their time beside other work", &analyzer::KernelChange::shared,
        MeasureUnit::ratio);
  if (kernels.size() > shown_rows) {
    fmt::print(out, "    and {} kernels that differ less\n", kernels.size() - shown_rows);
  }
}

void print_launches(const std::vector<analyzer::LaunchChange>& launches, std::ostream& out) {
  if (launches.empty()) return;
  fmt::print(out, "\n  kernels: launches that changed while others of their kernel did not\n");
  Table table = begun();
  for (std::size_t i = 0; i < std::min(shown_rows, launches.size()); ++i) {
    add_row(table, shortened(launches[i].name, name_width) + ", " + launch_text(launches[i]),
            launches[i].ns, MeasureUnit::ns);
  }
  table.print(out, 4);
  if (launches.size() > shown_rows) {
    fmt::print(out, "    and {} launches that differ less\n", launches.size() - shown_rows);
  }
}

void print_side(const char* name, const analyzer::ComparedSide& side, std::ostream& out) {
  for (const std::string& file : side.files) {
    fmt::print(out, "{}  {}\n", name, printable(file));
  }
}

}  // namespace

void render_diff_text(const analyzer::Comparison& comparison, std::ostream& out) {
  print_side("before", comparison.before, out);
  print_side("after ", comparison.after, out);
  for (const std::string& note : comparison.notes) fmt::print(out, "note: {}\n", printable(note));
  fmt::print(out, "{}\n", noise_sentence(comparison));
  if (!comparison.trouble.empty()) {
    fmt::print(out, "inconclusive: {}\n", printable(comparison.trouble));
  }
  for (const analyzer::WorkChange& work : comparison.works) {
    fmt::print(out, "\n{}\n", printable(work.name));
    Table table = begun();
    for (const auto& change : work.measures) {
      add_row(table, std::string(change.measure->name), change.figure, change.measure->unit);
    }
    table.print(out, 2);
    print_times("idle time by cause", work.gaps, out);
    print_times("wall time by what it was spent on", work.blame, out);
    print_findings("findings gained", work.gained, out);
    print_findings("findings lost", work.lost, out);
    print_findings("findings kept", work.kept, out);
    print_kernels(work.kernels, out);
    print_launches(work.launches, out);
  }
}

}  // namespace lapscope::reports
