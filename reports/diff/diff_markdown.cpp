#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

#include "reports/diff/diff_renderer.h"
#include "reports/diff/diff_words.h"
#include "reports/gate/gate_words.h"
#include "reports/markdown/markdown_markup.h"

namespace lapscope::reports {
namespace {

using analyzer::FigureChange;
using analyzer::MeasureUnit;

void print_head(std::string_view title, std::ostream& out) {
  out << fmt::format("\n| {} | before | after | difference | |\n|-|-:|-:|-:|-|\n", title);
}

// Prints a row of a table. `name` is Markdown.
void print_row(const std::string& name, const FigureChange& figure, MeasureUnit unit,
               std::ostream& out) {
  const ChangeCells cells = cells_of(figure, unit);
  const bool stands_out =
      figure.change == analyzer::Change::better || figure.change == analyzer::Change::worse;
  const char* mark = stands_out ? "**" : "";
  out << fmt::format("| {} | {} | {} | {} | {}{}{} |\n", markdown_cell(name), cells.before,
                     cells.after, cells.difference, mark, cells.meaning, mark);
}

void print_times(std::string_view title, const std::vector<analyzer::TimeChange>& times,
                 std::ostream& out) {
  if (times.empty()) return;
  print_head(title, out);
  for (std::size_t i = 0; i < std::min(shown_rows, times.size()); ++i) {
    print_row(markdown_text(times[i].code), times[i].ns, MeasureUnit::ns, out);
  }
}

void print_findings(const char* title, const std::vector<analyzer::FindingChange>& findings,
                    bool with_fix, std::ostream& out) {
  if (findings.empty()) return;
  out << fmt::format("\n{}:\n\n", title);
  for (const auto& finding : findings) {
    out << fmt::format("- {}\n", markdown_text(finding_text(finding)));
    if (!with_fix) continue;
    for (const std::string& sentence : {finding.explanation, finding.fix}) {
      if (!sentence.empty()) out << fmt::format("  - {}\n", markdown_text(sentence));
    }
  }
}

// Whether a measure is in the first table. All other measures are in a collapsed section.
bool is_shown_first(const analyzer::Measure& measure) {
  constexpr std::string_view first[] = {"wall", "busy", "copy_hidden", "idle_ratio"};
  return std::find(std::begin(first), std::end(first), measure.name) != std::end(first);
}

void print_measures(const analyzer::WorkChange& work, bool is_first, std::ostream& out) {
  print_head("measure", out);
  for (const auto& change : work.measures) {
    if (is_shown_first(*change.measure) != is_first) continue;
    print_row(markdown_text(change.measure->name), change.figure, change.measure->unit, out);
  }
}

void print_kernels(const std::vector<analyzer::KernelChange>& kernels, std::ostream& out) {
  if (kernels.empty()) return;
  const auto print = [&](std::string_view title, auto figure, MeasureUnit unit) {
    print_head(title, out);
    for (std::size_t i = 0; i < std::min(shown_rows, kernels.size()); ++i) {
      print_row(markdown_code(kernels[i].name, shown_name), kernels[i].*figure, unit, out);
    }
  };
  print("kernels: total time", &analyzer::KernelChange::sum_ns, MeasureUnit::ns);
  print("kernels: share beside other work", &analyzer::KernelChange::shared, MeasureUnit::ratio);
}

void print_launches(const std::vector<analyzer::LaunchChange>& launches, std::ostream& out) {
  if (launches.empty()) return;
  print_head("launches that changed while others of their kernel did not", out);
  for (std::size_t i = 0; i < std::min(shown_rows, launches.size()); ++i) {
    print_row(markdown_code(launches[i].name, shown_name) + ", " +
                  markdown_text(launch_text(launches[i])),
              launches[i].ns, MeasureUnit::ns, out);
  }
}

void print_files(const char* name, const analyzer::ComparedSide& side, std::ostream& out) {
  for (const std::string& file : side.files) {
    out << fmt::format("- {} {}\n", name, markdown_code(without_folders(file), 2 * shown_name));
  }
}

}  // namespace

void render_diff_markdown(const analyzer::Comparison& comparison, const DrawnRuns&,
                          const TextStyle&, std::ostream& out) {
  const std::string verdict =
      comparison.trouble.empty() ? verdict_sentence(comparison) : "inconclusive";
  out << fmt::format("## lapscope diff{}{}\n\n", verdict.empty() ? "" : ": ",
                     markdown_text(verdict));
  print_files("before", comparison.before, out);
  print_files("after", comparison.after, out);
  if (const std::string scope = scope_sentence(comparison); !scope.empty())
    out << fmt::format("- {}\n", markdown_text(scope));
  for (const std::string& note : sentences_of(comparison.notes)) {
    out << fmt::format("- {}\n", markdown_text(without_folders(note)));
  }
  if (!comparison.trouble.empty()) {
    out << fmt::format("- **inconclusive**: {}\n", markdown_text(sentence_of(comparison.trouble)));
  }
  out << fmt::format("\n{}\n", markdown_text(noise_sentence(comparison)));
  for (const analyzer::WorkChange& work : comparison.works) {
    out << fmt::format("\n### {}\n", markdown_text(work.name));
    print_measures(work, true, out);
    print_findings("Findings gained", work.gained, true, out);
    print_findings("Findings lost", work.lost, false, out);
    print_findings("Findings kept", work.kept, true, out);
    out << fmt::format(
        "\n<details><summary>Other measures, idle time, critical path and "
        "kernels</summary>\n");
    print_measures(work, false, out);
    print_times("idle time by cause", work.gaps, out);
    print_times("critical path", work.blame, out);
    print_times("host time between calls", work.host_time, out);
    print_kernels(work.kernels, out);
    print_launches(work.launches, out);
    out << "\n</details>\n";
  }
}

}  // namespace lapscope::reports
