#include "tests/reports/support/approved.h"
#include "reports/words/summary_words.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "analyzer/diff/comparison.h"
#include "analyzer/gate/judge_gate.h"
#include "analyzer/summary/summary.h"
#include "reports/diff/diff_renderer.h"
#include "reports/gate/gate_renderer.h"
#include "reports/renderer.h"
#include "tests/reports/perfetto/support/tracks_of.h"
#include "tests/reports/support/json_tables.h"
#include "tests/reports/support/sample_reports.h"
#include "tests/reports/support/unsaid.h"
#include "tests/support/json.h"

namespace lapscope::test {
namespace {

using analyzer::Report;

std::string rendered(const reports::Renderer& renderer, const Report& report,
                     const reports::TextStyle& style = {}) {
  std::ostringstream out;
  renderer.render(std::span(&report, 1), style, out);
  return out.str();
}

nlohmann::json json_of(const Report& report) {
  return parse_json(rendered(*reports::find_renderer("json"), report));
}

// Returns a page without its scripts and without compressed data.
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

// Returns an output in a form that a person can review. HTML has no scripts and no compressed data,
// Perfetto traces are summaries of tracks, and JSON is tables of its values. Other formats are
// unchanged.
std::string readable(std::string_view format, const std::string& text) {
  if (format == "html") return without_scripts(text);
  if (format == "perfetto") return tracks_of(text);
  if (format == "json") return json_tables(parse_json(text));
  return text;
}

// Returns the extension of the file's name.
std::string extension_of(std::string_view format) {
  if (format == "html") return ".html-part";
  if (format == "perfetto") return ".perfetto-tracks";
  if (format == "json") return ".json-tables";
  return "." + std::string(format);
}

// Collects the outputs for one report or comparison. Removes text from an output if an earlier
// output has the same text.
class Renderings {
 public:
  explicit Renderings(std::vector<Approved>& outputs) : outputs_(outputs) {}

  void add(const std::string& file, const std::string& text) {
    outputs_.push_back({file, unsaid(text, said_)});
    know(text);
  }

  // Marks a text as approved elsewhere.
  void know(const std::string& text) { said_ += text + "\n"; }

 private:
  std::string said_;
  std::vector<Approved>& outputs_;
};

// Removes the figures of the steady state and of ranges, so that a person reviews only those of the
// device. Another test checks that JSON has all these figures in the same form.
nlohmann::json without_figures_of_ranges(nlohmann::json report) {
  for (nlohmann::json& device : report["devices"]) {
    for (const char* member : {"measures", "states", "gaps", "findings"}) {
      device["steady"].erase(member);
      for (nlohmann::json& range : device["ranges"]) range.erase(member);
    }
  }
  return report;
}

void add_everything(std::vector<Approved>& outputs) {
  const Report report = report_with_everything();
  Renderings renderings(outputs);
  const reports::Renderer& text = *reports::find_renderer("text");
  renderings.add("findings.text", rendered(text, report_with_findings()));
  renderings.add("bound-by-engine.text", rendered(text, report_bound_by_engine()));
  renderings.add("everything.text", rendered(text, report));
  renderings.add("everything.verbose.text", rendered(text, report, {.verbose = true}));
  for (const reports::Renderer& renderer : reports::renderers()) {
    if (renderer.name == "text" || renderer.name == "json") continue;
    renderings.add("everything" + extension_of(renderer.name),
                   readable(renderer.name, rendered(renderer, report)));
  }
  renderings.add("everything.json-tables", json_tables(without_figures_of_ranges(json_of(report))));
}

// Returns the default options of the commands that compare or evaluate runs.
analyzer::AnalyzeOptions for_runs() {
  analyzer::AnalyzeOptions options;
  options.focus = analyzer::Focus::automatic;
  options = analyzer::for_summary(options);
  options.timeline = true;
  return options;
}

// Commands evaluate the steady state, so this report has the invented findings there, too.
Report run_with_findings(const analyzer::AnalyzeOptions& asked) {
  Report report = report_with_findings(asked);
  analyzer::DeviceResult& device = report.devices.front();
  for (analyzer::RangeResult& range : device.ranges) range.scope.causes = device.scope.causes;
  return report;
}

// Sentences about findings and measures are approved in findings.text and everything.verbose.text.
void know_findings(const Report& run, Renderings& renderings) {
  for (const bool verbose : {false, true}) {
    renderings.know(rendered(*reports::find_renderer("text"), run, {.verbose = verbose}));
  }
}

void add_comparison(std::vector<Approved>& outputs) {
  const analyzer::AnalyzeOptions asked = for_runs();
  const Report before = run_with_findings(asked);
  const Report after = recorded_report("stream_pipeline-overlapped", asked);
  const analyzer::RunSummary runs[] = {summarize(before, asked, reports::wording),
                                       summarize(after, asked, reports::wording)};
  const auto comparison = compare_runs(std::span(runs, 1), std::span(runs + 1, 1));
  Renderings renderings(outputs);
  know_findings(before, renderings);
  for (const reports::DiffRenderer& renderer : reports::diff_renderers) {
    std::ostringstream out;
    renderer.render(comparison, {&before, &after}, {}, out);
    renderings.add("diff" + extension_of(renderer.name), readable(renderer.name, out.str()));
  }
}

void add_gate(std::vector<Approved>& outputs) {
  using namespace std::chrono_literals;
  const analyzer::AnalyzeOptions asked = for_runs();
  const Report found = run_with_findings(asked);
  const analyzer::RunSummary run = summarize(found, asked, reports::wording);
  analyzer::Gate gate;
  gate.name = "pipeline";
  gate.bounds = {{&analyzer::overlap_ratio, analyzer::Sense::at_least, 0.5, {}},
                 {&analyzer::idle_ratio, analyzer::Sense::at_most, 0.1, {}},
                 {&analyzer::comm_hidden, analyzer::Sense::at_least, 0.1, {}}};
  const analyzer::GateReport report = {"0",
                                       {judge_gate(gate, std::span(&run, 1), {}, 2026y / 11 / 21)}};
  Renderings renderings(outputs);
  know_findings(found, renderings);
  for (const reports::GateRenderer& renderer : reports::gate_renderers) {
    std::ostringstream out;
    renderer.render(report, {}, out);
    renderings.add("gate" + extension_of(renderer.name), readable(renderer.name, out.str()));
  }
}

// Returns the findings of every recorded trace as codes and numbers, without sentences.
std::string found_in_recorded_traces() {
  std::string text;
  for (const Report& report : all_recorded_reports()) {
    for (const analyzer::DeviceResult& device : report.devices) {
      const analyzer::ScopeResult& scope = judged_of(device);
      text += report.trace.file + " device " + std::to_string(device.id) + ":";
      if (!scope.causes) {
        text += " no causes\n";
        continue;
      }
      for (const analyzer::FindingResult& finding : scope.causes->findings) {
        text += " " + std::string(finding.code) + " " + std::to_string(finding.saving_ns);
      }
      for (const analyzer::FindingResult& question : scope.causes->questions) {
        text += " " + std::string(question.code) + "? " + std::to_string(question.most_saving_ns);
      }
      for (const analyzer::Advice& advice : scope.causes->advice) {
        text += " (" + std::string(code_of(advice.step())) + ")";
      }
      text += "\n";
    }
  }
  return text;
}

// Returns the members in the JSON of all recorded reports and of two others: an invented and an
// empty one.
std::string shape_of_reports() {
  std::vector<nlohmann::json> documents = all_recorded_json();
  documents.push_back(json_of(report_with_everything()));
  documents.push_back(json_of(Report{}));
  return json_shape(documents);
}

}  // namespace

const std::vector<Report>& all_recorded_reports() {
  static const std::vector<Report> all = [] {
    std::vector<Report> reports;
    analyzer::AnalyzeOptions options;
    options.focus = analyzer::Focus::automatic;
    options.explain_whole = false;
    for (const std::string& name : recorded_traces()) {
      reports.push_back(recorded_report(name, options));
    }
    return reports;
  }();
  return all;
}

const std::vector<nlohmann::json>& all_recorded_json() {
  static const std::vector<nlohmann::json> all = [] {
    std::vector<nlohmann::json> documents;
    for (const Report& report : all_recorded_reports()) documents.push_back(json_of(report));
    return documents;
  }();
  return all;
}

std::vector<Approved> outputs_to_approve() {
  std::vector<Approved> outputs;
  add_everything(outputs);
  add_comparison(outputs);
  add_gate(outputs);
  outputs.push_back({"report.json-shape", shape_of_reports()});
  outputs.push_back({"all-recorded-traces.findings", found_in_recorded_traces()});
  return outputs;
}

}  // namespace lapscope::test
