#include "tests/reports/support/approved.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>

#include "analyzer/diff/comparison.h"
#include "analyzer/gate/judge_gate.h"
#include "analyzer/summary/summary.h"
#include "reports/diff/diff_renderer.h"
#include "reports/gate/gate_renderer.h"
#include "reports/renderer.h"
#include "tests/reports/perfetto/support/tracks_of.h"
#include "tests/reports/support/sample_reports.h"

namespace lapscope::test {
namespace {

using analyzer::Report;

std::string rendered(const reports::Renderer& renderer, const Report& report,
                     const reports::TextStyle& style = {}) {
  std::ostringstream out;
  renderer.render(std::span(&report, 1), style, out);
  return out.str();
}

// What a page shows without scripts: neither the page's own parts, nor compressed data.
std::string without_scripts(const std::string& page) {
  std::string text;
  const std::size_t from = page.find("<body>");
  for (std::size_t at = from; at < page.size();) {
    const std::size_t script = std::min(page.find("<script", at), page.size());
    text += page.substr(at, script - at);
    at = page.find("</script>", script);
    if (at != std::string::npos) at += std::string_view("</script>").size();
  }
  return text;
}

// What is approved of a rendering: all of it, or what a person can read of it.
Approved readable(const std::string& name, std::string_view format, const std::string& text) {
  if (format == "html") return {name + ".html-part", without_scripts(text)};
  if (format == "perfetto") return {name + ".perfetto-tracks", tracks_of(text)};
  return {name + "." + std::string(format), text};
}

// As the commands ask that are not told what to judge.
analyzer::AnalyzeOptions nothing_named() {
  analyzer::AnalyzeOptions options;
  options.focus = analyzer::Focus::automatic;
  options.timeline = true;
  return options;
}

// A loop with ranges, measured in stretches.
Report range_and_series() {
  analyzer::AnalyzeOptions options;
  options.timeline = true;
  options.ranges = {"default-stream-kernel"};
  options.series_bins = 4;
  return recorded_report("default-stream-kernel-broken", options);
}

void add_comparison(std::vector<Approved>& outputs) {
  const analyzer::AnalyzeOptions asked = analyzer::for_summary(nothing_named());
  const auto drawn = [&asked](const std::string& name) {
    analyzer::AnalyzeOptions options = asked;
    options.timeline = true;
    return recorded_report(name, options);
  };
  const Report before = drawn("stream_pipeline-default-stream");
  const Report after = drawn("stream_pipeline-overlapped");
  const analyzer::RunSummary runs[] = {summarize(before, asked), summarize(after, asked)};
  const auto comparison = compare_runs(std::span(runs, 1), std::span(runs + 1, 1));
  for (const reports::DiffRenderer& renderer : reports::diff_renderers()) {
    std::ostringstream out;
    renderer.render(comparison, {&before, &after}, {}, out);
    outputs.push_back(readable("stream_pipeline-diff", renderer.name, out.str()));
  }
}

void add_gate(std::vector<Approved>& outputs) {
  using namespace std::chrono_literals;
  const analyzer::AnalyzeOptions asked = analyzer::for_summary(nothing_named());
  const analyzer::RunSummary run =
      summarize(recorded_report("stream_pipeline-default-stream", asked), asked);
  analyzer::Gate gate;
  gate.name = "pipeline";
  gate.bounds = {{&analyzer::overlap_ratio, analyzer::Sense::at_least, 0.5, {}},
                 {&analyzer::idle_ratio, analyzer::Sense::at_most, 0.1, {}},
                 {&analyzer::comm_hidden, analyzer::Sense::at_least, 0.1, {}}};
  const analyzer::GateReport report = {"0",
                                       {judge_gate(gate, std::span(&run, 1), {}, 2026y / 11 / 21)}};
  for (const reports::GateRenderer& renderer : reports::gate_renderers()) {
    std::ostringstream out;
    renderer.render(report, {}, out);
    outputs.push_back({"stream_pipeline-gate." + std::string(renderer.name), out.str()});
  }
}

// Of a first screen the verdict, the figures and the first finding.
std::string essence_of(const std::string& text) {
  std::istringstream lines(text);
  std::string essence;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line); ++number) {
    const bool is_first = number == 0 || line.starts_with("GPU busy ") || line.starts_with("1. ") ||
                          line.starts_with("   Saves ") || line.starts_with("If ");
    if (is_first) essence += "  " + line + "\n";
    if (line.starts_with("   Saves ")) break;
  }
  return essence;
}

}  // namespace

const std::vector<Report>& all_recorded_reports() {
  static const std::vector<Report> all = [] {
    std::vector<Report> reports;
    analyzer::AnalyzeOptions options = nothing_named();
    options.timeline = false;
    options.explain_whole = false;
    for (const std::string& name : recorded_traces()) {
      reports.push_back(recorded_report(name, options));
    }
    return reports;
  }();
  return all;
}

std::vector<Approved> outputs_to_approve() {
  std::vector<Approved> outputs;
  // All that is approved is small enough to be read: the largest kinds of a report not of each.
  const auto add_all = [&outputs](const std::string& name, const analyzer::Report& report,
                                  std::string_view without = "") {
    for (const reports::Renderer& renderer : reports::renderers()) {
      if (renderer.name == without) continue;
      outputs.push_back(readable(name, renderer.name, rendered(renderer, report)));
    }
  };
  add_all("stream_pipeline-default-stream",
          recorded_report("stream_pipeline-default-stream", nothing_named()));
  for (const char* name : {"stream_pipeline-serial", "stream_pipeline-overlapped"}) {
    add_all(name, recorded_report(name, nothing_named()), "html");
  }
  const analyzer::Report found = report_with_findings();
  add_all("made-up-findings", found);
  add_all("range-and-series", range_and_series(), "json");
  const reports::Renderer& text = *reports::find_renderer("text");
  outputs.push_back({"made-up-findings.verbose.text", rendered(text, found, {.verbose = true})});
  outputs.push_back(
      {"made-up-findings.plain.text", rendered(text, found, {.width = 60, .unicode = false})});
  outputs.push_back({"made-up-findings.colour.text", rendered(text, found, {.colour = true})});
  outputs.push_back({"bound-by-engine.text", rendered(text, report_bound_by_engine())});
  outputs.push_back({"several-devices.text",
                     rendered(text, recorded_report("nccl-all-reduce-broken", nothing_named()))});
  std::string essence;
  for (const Report& report : all_recorded_reports()) {
    essence += report.trace.file + "\n" + essence_of(rendered(text, report, {.width = 200}));
  }
  outputs.push_back({"all-recorded-traces.text", essence});
  add_comparison(outputs);
  add_gate(outputs);
  return outputs;
}

}  // namespace lapscope::test
