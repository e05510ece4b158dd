#include "reports/html/page_sections.h"

#include <fmt/format.h>

#include <vector>

#include "analyzer/analysis/verdict.h"
#include "reports/html/html_markup.h"
#include "reports/html/pictures.h"
#include "reports/words/format.h"
#include "reports/words/health_words.h"
#include "reports/words/recorder_words.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"
#include "reports/words/word_tables.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::Report;
using analyzer::ScopeResult;

std::string streams_table(const DeviceResult& device) {
  std::vector<Cells> streams;
  for (const auto& stream : device.streams) {
    streams.push_back({std::to_string(stream.stream.id), std::string(name_of(stream.stream.kind)),
                       format_ns(stream.busy_ns),
                       html_text(format_share(stream.busy_ns, device.scope.window.length())),
                       std::to_string(stream.ops)});
  }
  return table_of("streams", "rlrrr", {"stream", "kind", "busy", "share", "ops"}, streams);
}

std::string folded(std::string_view summary, const std::string& tables) {
  return fmt::format("<details><summary>{}</summary><div class=\"tables\">{}</div></details>",
                     summary, tables);
}

std::string focus_of(const DeviceResult& device) {
  std::string text;
  for (const std::string& sentence : focus_sentences(device)) {
    text += "<p>" + html_text(sentence) + "</p>\n";
  }
  return text;
}

// Returns the range whose verdict is in the page's header; null if it is the whole device.
const analyzer::RangeResult* first_range_of(const DeviceResult& device) {
  return device.ranges.empty() ? nullptr : &device.ranges.front();
}

std::string headline_of(const Report& report, const DeviceResult& device,
                        const analyzer::RangeResult* range) {
  return "<p class=\"headline\">" + html_text(first_line(report, device, range)) + "</p>\n";
}

std::string headline_unless_above(const Report& report, const DeviceResult& device,
                                  const analyzer::RangeResult* range) {
  return range == first_range_of(device) ? "" : headline_of(report, device, range);
}

}  // namespace

std::string header_section(const Report& report) {
  const auto& trace = report.trace;
  const std::string_view verdict = name_of(verdict_of(report));
  std::string text = fmt::format("<header><h1>{}</h1>", html_text(trace.file));
  if (!trace.command.empty()) text += "<p>" + html_name(trace.command, 200) + "</p>";
  std::string recorded = html_text(trace.created) + " · " + html_text(trace.recorder);
  if (!trace.driver.empty()) recorded += " · driver " + html_text(trace.driver);
  if (!trace.cupti.empty()) recorded += " · CUPTI " + html_text(trace.cupti);
  if (!trace.created.empty()) text += "<p class=\"faint\">" + recorded + "</p>";
  for (const auto& row : worst_first(report.health)) {
    text += fmt::format("<p class=\"health {}\"><strong>{}:</strong> {} {}</p>",
                        name_of(severity_of(row)), name_of(severity_of(row)),
                        html_text(message_of(row)), html_text(remedy_of(row)));
  }
  if (!verdict.empty()) text += fmt::format("<p class=\"verdict {}\">{}</p>", verdict, verdict);
  std::string last;
  for (const DeviceResult& device : report.devices) {
    const analyzer::RangeResult* range = first_range_of(device);
    std::string headline = headline_of(report, device, range);
    if (headline != last) text += headline;
    text += "<p>" + html_text(second_line(report, device, range)) + "</p>\n";
    last = std::move(headline);
  }
  return text + "</header>\n";
}

std::string device_section(const Report& report, const DeviceResult& device, std::size_t number,
                           std::size_t first_finding) {
  const ScopeResult& scope = device.scope;
  const std::string recorder = basis_sentences(scope);
  // If the device has a steady state, leaves out the figures of the whole run. They would look like
  // a second result beside the figures of the steady state.
  return fmt::format("<section class=\"device\"><h2>{}: {} in {}</h2>\n{}<p>{}</p>\n",
                     html_text(title_of(device)), counted(scope.ops, "op"),
                     format_ns(scope.window.length()),
                     headline_unless_above(report, device, nullptr),
                     html_text(overlap_sentence(scope))) +
         (recorder.empty() ? "" : "<p>" + html_text(recorder) + "</p>\n") +
         (steady_state_of(device) ? "" : focus_of(device)) + svg_strip(device) + svg_path(device) +
         findings_of(report, scope, nullptr, number, first_finding) +
         (steady_state_of(device) ? "" : figures_of(scope) + flame_graphs(scope)) + "</section>\n";
}

std::string range_section(const Report& report, const analyzer::RangeResult& range,
                          const DeviceResult& device, std::size_t number,
                          std::size_t first_finding) {
  const ScopeResult& scope = range.scope;
  const std::string work = work_sentences(range);
  return fmt::format("<section class=\"device range\"><h2>{}: {} in {}</h2>\n{}<p>{} {}</p>\n",
                     html_text(title_of(range, &device)), counted(scope.ops, "op"),
                     format_ns(scope.window.length()),
                     headline_unless_above(report, device, &range),
                     html_text(overlap_sentence(scope)),
                     link_to(report, number, scope.window, "Show it in the timeline")) +
         (range.steady ? focus_of(device) : "") +
         (work.empty() ? "" : "<p>" + html_text(work) + "</p>\n") +
         findings_of(report, scope, &range, number, first_finding) + figures_of(scope) +
         flame_graphs(scope) +
         folded("Critical path, idle time and all measures of this scope",
                time_tables(report, scope, number) + measure_tables(scope)) +
         "</section>\n";
}

std::string tables_section(const Report& report, const DeviceResult& device, std::size_t number) {
  const ScopeResult& scope = device.scope;
  return "<section><h2>" + html_text(title_of(device)) + ", in tables</h2><div class=\"tables\">" +
         time_tables(report, scope, number) + table_of(iterations_table(device)) +
         table_of(series_table(device, report.first_op)) + "</div>" +
         folded("All measures, states, streams and ops",
                measure_tables(scope) + streams_table(device) + table_of(groups_table(device))) +
         "</section>\n";
}

std::string trust_section(const Report& report) {
  std::string text = "<section><h2>Confidence</h2><ul>";
  for (const std::string& sentence : trust_sentences(report)) {
    text += "<li>" + html_text(sentence) + "</li>";
  }
  return text + "</ul></section>\n";
}

}  // namespace lapscope::reports
