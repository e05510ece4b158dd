#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/output_options.h"
#include "cli/runs.h"
#include "reports/named.h"
#include "reports/renderer.h"

namespace lapscope::cli {
namespace {

struct AnalyzeOptions : AnalysisOptions {
  std::string format = "text";
  bool verbose = false;
  std::string by = "cause";
  bool brief = false;
};

// Returns the formats of `analyze`. Formats that draw a timeline are left out, because only
// `report` offers them.
std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto& renderer : reports::renderers()) {
    if (!renderer.draws) names.emplace_back(renderer.name);
  }
  return names;
}

// Reads all files before it prints anything, so that no partial result is printed if a file cannot
// be read.
int show_analysis(const AnalyzeOptions& options) {
  std::vector<analyzer::Report> results;
  AnalysisOptions asked = options;
  asked.analysis.explain_whole = options.format == "json" && !options.brief;
  const reports::Renderer& renderer = *reports::find_renderer(options.format);
  asked.analysis.stats = renderer.lists;
  asked.analysis.host_stacks = renderer.folds;
  const int status = analyze_files(asked, results);
  reports::TextStyle style = style_of_stdout();
  style.verbose = options.verbose;
  style.brief = options.brief;
  style.by_line = options.by == "line";
  style.by_function = options.by == "function";
  renderer.render(results, style, std::cout);
  flush_stdout();
  return status;
}

int show_ranks(const AnalyzeOptions& options) {
  const RunFolder folder = run_in(options.files.front(), options.summaries);
  expect_analyses(folder, options.analysis);
  const reports::RunReport run = analyze_ranks(folder, options.analysis);
  reports::TextStyle style = style_of_stdout();
  named(reports::rank_renderers, options.format)->render(run, style, std::cout);
  style.verbose = true;
  if (options.verbose && options.format == "text") {
    reports::find_renderer("text")->render(run.reports, style, std::cout);
  }
  flush_stdout();
  return verdict_of(run.run) == analyzer::Verdict::inconclusive ? inconclusive : good;
}

void check_run(const AnalyzeOptions& options) {
  const bool is_shown = options.format == "text" || options.format == "json";
  if (!is_shown || options.brief || options.by != "cause") {
    throw CLI::ValidationError(
        "FILE",
        "a folder needs --format text or json, and neither --brief nor --by; lapscope report "
        "writes pages of it");
  }
}

}  // namespace

void add_analyze(CLI::App& app) {
  auto options = std::make_shared<AnalyzeOptions>();
  CLI::App* command = app.add_subcommand(
      "analyze", "Report how much GPU work overlaps, and what prevents more overlap");
  add_analysis_options(*command, *options);
  add_summaries_option(*command, *options);
  command->add_option("--format", options->format, "Output format")
      ->check(CLI::IsMember(format_names()))
      ->capture_default_str();
  command->add_flag("-v,--verbose", options->verbose,
                    "Show every measure with its definition, and every table (only for text)");
  command
      ->add_option("--by", options->by,
                   "Show bottlenecks by cause, or by source line (line). Or show what the host did "
                   "between its calls (function). Only for text")
      ->check(CLI::IsMember({"cause", "line", "function"}))
      ->capture_default_str();
  command->add_flag("--brief", options->brief,
                    "Write only verdict, scope, findings, call sites and savings, in at most 4 kB "
                    "(only for JSON)");
  command->footer(
      "Example:\n  lapscope analyze --format json t.sqlite | jq '.devices[0].measures'\nA folder "
      "is one run. lapscope analyzes its ranks together:\n  lapscope analyze run/\nExit status: 0 "
      "success, 2 usage error, 3 inconclusive, 4 unreadable file.");
  command->callback([options] {
    if (options->by != "cause" && (options->format != "text" || options->verbose)) {
      throw CLI::ValidationError("--by", options->by +
                                             " needs --format text without -v; --format json has "
                                             "the lines of all call sites, and all functions");
    }
    if (options->brief && options->format != "json") {
      throw CLI::ValidationError("--brief", "it needs --format json");
    }
    const bool of_ranks = is_run(*options);
    if (of_ranks) check_run(*options);
    exit_with(of_ranks ? show_ranks(*options) : show_analysis(*options));
  });
}

}  // namespace lapscope::cli
