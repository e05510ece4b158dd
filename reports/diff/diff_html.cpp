#include <fmt/format.h>

#include <algorithm>

#include "reports/diff/diff_renderer.h"
#include "reports/diff/diff_words.h"
#include "reports/gate/gate_words.h"
#include "reports/html/html_markup.h"
#include "reports/html/timeline_sections.h"
#include "reports/words/call_sites.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {
namespace {

using analyzer::Change;
using analyzer::Comparison;
using analyzer::FigureChange;
using analyzer::FindingChange;
using analyzer::MeasureUnit;
using analyzer::Ns;
using analyzer::Report;
using analyzer::WorkChange;

constexpr std::size_t html_name_width = 90;
constexpr std::size_t shown_kernels = 24;

std::string code_of_change(Change change) {
  const std::string name(name_of(change));
  const bool stands_out = change == Change::better || change == Change::worse;
  return stands_out ? fmt::format(" class=\"{}\"", name) : "";
}

// Returns the cells of a row. `name` is HTML.
Cells row_of(const std::string& name, const FigureChange& figure, MeasureUnit unit) {
  const ChangeCells cells = cells_of(figure, unit);
  return {
      name, html_text(cells.before), html_text(cells.after), html_text(cells.difference),
      fmt::format("<span{}>{}</span>", code_of_change(figure.change), html_text(cells.meaning))};
}

std::string change_table(std::string_view caption, const std::vector<Cells>& rows) {
  return table_of(caption, "lrrrl", {"", "before", "after", "difference", ""}, rows);
}

std::string tiles_of(const WorkChange& work) {
  std::string text = "<dl class=\"tiles\">";
  for (const Card& card : cards()) {
    for (const auto& change : work.measures) {
      const analyzer::Measure& measure = *change.measure;
      if (measure.name != card.measure) continue;
      const ChangeCells cells = card.form == Card::Form::as_measured
                                    ? cells_of(change.figure, measure.unit)
                                    : cells_of(change.figure, card);
      text += fmt::format(
          "<div title=\"{}\"><dt>{}</dt><dd>{} → {}</dd><dd class=\"difference\"><span{}>{}"
          "</span></dd></div>",
          html_text(card.title(measure)), card.words, html_text(cells.before),
          html_text(cells.after), code_of_change(change.figure.change),
          html_text(cells.difference));
    }
  }
  return text + "</dl>\n";
}

// Returns the text of a finding as a link. The target of the link has the finding's index in
// shown_findings(). Returns the text without a link if the run is not drawn or does not have the
// finding.
std::string linked(const FindingChange& finding, const Report* report, std::size_t number) {
  const std::string shown = html_text(finding_text(finding));
  if (report == nullptr) return shown;
  const auto findings = shown_findings(*report);
  for (std::size_t index = 0; index < findings.size(); ++index) {
    const analyzer::FindingResult& other = *findings[index].finding;
    if (other.code == finding.code && words_of(other.what) == finding.what) {
      return fmt::format("<a href=\"#r={}&amp;find={}\">{}</a>", number, index, shown);
    }
  }
  return shown;
}

std::string findings_list(std::string_view title, const std::vector<FindingChange>& findings,
                          const Report* report, std::size_t number) {
  if (findings.empty()) return "";
  std::string text = fmt::format("<h3>{}</h3>\n<ul class=\"finding-list\">", title);
  for (const FindingChange& finding : findings) {
    text += fmt::format("<li><strong>{}</strong><p>{}</p><p>{}</p></li>\n",
                        linked(finding, report, number), html_text(finding.explanation),
                        html_text(finding.fix));
  }
  return text + "</ul>\n";
}

std::string work_section(const WorkChange& work, const DrawnRuns& runs) {
  std::string text = "<section class=\"device\"><h2>" + html_text(work.name) + "</h2>\n";
  text += findings_list("Findings gained", work.gained, runs.after, 1);
  text += findings_list("Findings lost", work.lost, runs.before, 0);
  text += findings_list("Findings kept", work.kept, runs.after, 1);
  text += tiles_of(work);
  if (!work.knows_findings) text += "<p>Causes are not known of both sides.</p>";
  return text + "</section>\n";
}

std::string times_table(std::string_view caption, const std::vector<analyzer::TimeChange>& times) {
  std::vector<Cells> rows;
  for (const auto& time : times) {
    rows.push_back(row_of(html_text(time.code), time.ns, MeasureUnit::ns));
  }
  return change_table(caption, rows);
}

std::string kernel_tables(const WorkChange& work) {
  const auto table = [&](std::string_view caption, auto figure, MeasureUnit unit) {
    std::vector<Cells> rows;
    for (std::size_t i = 0; i < std::min(shown_kernels, work.kernels.size()); ++i) {
      const auto& kernel = work.kernels[i];
      rows.push_back(row_of(html_name(kernel.name, html_name_width), kernel.*figure, unit));
    }
    return change_table(caption, rows);
  };
  std::string text =
      table("kernels: time of all", &analyzer::KernelChange::sum_ns, MeasureUnit::ns) +
      table("kernels: time of one", &analyzer::KernelChange::mean_ns, MeasureUnit::ns) +
      table("kernels: share of their time beside other work", &analyzer::KernelChange::shared,
            MeasureUnit::ratio);
  std::vector<Cells> launches;
  for (std::size_t i = 0; i < std::min(shown_kernels, work.launches.size()); ++i) {
    const auto& launch = work.launches[i];
    launches.push_back(row_of(html_name(launch.name, html_name_width) + ", " + launch_text(launch),
                              launch.ns, MeasureUnit::ns));
  }
  text +=
      change_table("kernels: launches that changed while others of their kernel did not", launches);
  if (work.kernels.size() > shown_kernels) {
    text +=
        fmt::format("<p>And {} kernels that differ less.</p>", work.kernels.size() - shown_kernels);
  }
  return text;
}

std::string tables_section(const WorkChange& work) {
  std::vector<Cells> measures;
  for (const auto& change : work.measures) {
    measures.push_back(
        row_of(fmt::format("<span title=\"{}\">{}</span>", html_text(change.measure->definition),
                           change.measure->name),
               change.figure, change.measure->unit));
  }
  return "<section><h2>" + html_text(work.name) + ", in tables</h2><div class=\"tables\">" +
         change_table("measures", measures) + times_table("idle time by cause", work.gaps) +
         times_table("wall time by what it was spent on", work.blame) +
         times_table("host time between calls", work.host_time) + kernel_tables(work) +
         "</div></section>\n";
}

std::string side_of(std::string_view name, const analyzer::ComparedSide& side) {
  std::string text = fmt::format("<div><dt>{}</dt>", name);
  for (const std::string& file : side.files) text += "<dd>" + html_name(file, 200) + "</dd>";
  if (!side.command.empty())
    text += "<dd class=\"faint\">" + html_name(side.command, 200) + "</dd>";
  return text + "</div>";
}

std::string header_of(const Comparison& comparison) {
  std::string text = "<header><h1>What differs</h1>\n<dl class=\"sides\">" +
                     side_of("A, before", comparison.before) +
                     side_of("B, after", comparison.after) + "</dl>\n";
  if (!comparison.trouble.empty()) {
    text += "<p class=\"verdict inconclusive\">inconclusive</p>\n<p class=\"health error\">" +
            html_text(sentence_of(comparison.trouble)) + "</p>\n";
  }
  if (const std::string scope = scope_sentence(comparison); !scope.empty())
    text += "<p>" + html_text(scope) + "</p>\n";
  for (const std::string& note : sentences_of(comparison.notes)) {
    text += "<p class=\"health\">" + html_text(note) + "</p>\n";
  }
  const std::string verdict = verdict_sentence(comparison);
  if (!verdict.empty()) text += "<p class=\"headline\">" + html_text(verdict) + "</p>\n";
  return text + "<p>" + html_text(noise_sentence(comparison)) + "</p></header>\n";
}

bool is_drawn(const Report* report) { return report != nullptr && report->timeline.has_value(); }

// Draws both runs one above the other. The aligned instants of both runs have the same horizontal
// position.
std::string timelines_of(const Comparison& comparison, const DrawnRuns& runs) {
  Alignment aligned;
  Ns lead = 0;
  if (is_drawn(runs.before) && is_drawn(runs.after)) {
    aligned = align(*runs.before, *runs.after);
    lead = std::max(aligned.before - runs.before->timeline->extent.start,
                    aligned.after - runs.after->timeline->extent.start);
  } else {
    if (is_drawn(runs.before)) aligned.before = runs.before->timeline->extent.start;
    if (is_drawn(runs.after)) aligned.after = runs.after->timeline->extent.start;
  }
  std::string text;
  const auto shown = [&](std::string_view name, const Report* report,
                         const analyzer::ComparedSide& side, Ns instant) {
    if (!is_drawn(report)) {
      text += fmt::format("<p class=\"health\">{}: a summary has no timeline.</p>\n", name);
      return ShownTimeline();
    }
    std::string heading = fmt::format("{}: {}", name, report->trace.file);
    if (side.runs > 1) heading += fmt::format(", the first of {} runs", side.runs);
    return ShownTimeline{report, {instant - lead, report->timeline->extent.end}, heading};
  };
  const ShownTimeline timelines[] = {
      shown("A, before", runs.before, comparison.before, aligned.before),
      shown("B, after", runs.after, comparison.after, aligned.after)};
  for (const std::string& section : timeline_sections(timelines, LinkedViews::from_the_start)) {
    text += section;
  }
  return text;
}

}  // namespace

void render_diff_html(const Comparison& comparison, const DrawnRuns& runs, const TextStyle&,
                      std::ostream& out) {
  std::string body = "<article class=\"comparison\">" + header_of(comparison);
  for (const WorkChange& work : comparison.works) body += work_section(work, runs);
  body += timelines_of(comparison, runs);
  for (const WorkChange& work : comparison.works) body += tables_section(work);
  const auto file_of = [](const analyzer::ComparedSide& side) {
    return side.files.empty() ? std::string() : side.files.front();
  };
  write_page(file_of(comparison.before) + " and " + file_of(comparison.after),
             {body + "</article>\n"}, comparison.tool_version, out);
}

}  // namespace lapscope::reports
