#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/output_options.h"
#include "cli/progress_bar.h"
#include "cli/runs.h"
#include "cli/stages.h"
#include "reports/renderer.h"

namespace lapscope::cli {
namespace {

struct ReportOptions : AnalysisOptions {
  OutputOptions output;
  bool verbose = false;
};

std::vector<Format> report_formats() {
  std::vector<Format> formats;
  for (const auto& renderer : reports::renderers()) {
    formats.push_back(
        {renderer.name, renderer.extension, renderer.also_extension, !renderer.draws});
  }
  return formats;
}

std::vector<Format> run_formats() {
  std::vector<Format> formats;
  for (const auto& renderer : reports::rank_renderers) {
    formats.push_back({renderer.name, renderer.extension, "", renderer.is_read_in_terminal});
  }
  return formats;
}

// Writes a report of one run. The traces or summaries of its ranks are in one folder.
int write_run(const ReportOptions& options) {
  const RunFolder folder = run_in(options.files.front(), options.summaries);
  const std::vector<Format> formats = run_formats();
  for (const std::string& name : options.output.formats) {
    if (std::ranges::find(formats, name, &Format::name) != formats.end()) continue;
    throw CLI::ValidationError("--format",
                               "a folder of ranks is written as html, perfetto, json "
                               "or text; name one of its traces for the rest");
  }
  auto outputs = open_outputs(options.output, formats, folder.files, "run");
  analyzer::AnalyzeOptions analysis = options.analysis;
  analysis.timeline = std::ranges::any_of(
      outputs, [](const Output& output) { return reports::rank_renderers[output.format].draws; });
  if (folder.holds_summaries && analysis.timeline) {
    throw CLI::ValidationError("--format",
                               "summaries hold no single ops to draw: name html, json or text");
  }
  expect_analyses(folder, analysis);
  const reports::RunReport run = analyze_ranks(folder, analysis);
  for (Output& output : outputs) {
    const auto style = output.file.is_stdout() ? style_of_stdout() : style_of_files();
    reports::rank_renderers[output.format].render(run, style, output.file.stream());
  }
  finish_outputs(options.output, outputs);
  return verdict_of(run.run) == analyzer::Verdict::inconclusive ? inconclusive : good;
}

int write_reports(const ReportOptions& options) {
  auto outputs = open_outputs(options.output, report_formats(), options.files,
                              std::filesystem::path(options.files.front()).stem().string());
  const auto renderer_of = [](const Output& output) -> const reports::Renderer& {
    return reports::renderers()[output.format];
  };
  AnalysisOptions asked = options;
  const auto is_any = [&](bool reports::Renderer::*needs) {
    return std::any_of(outputs.begin(), outputs.end(),
                       [&](const Output& output) { return renderer_of(output).*needs; });
  };
  asked.analysis.timeline = is_any(&reports::Renderer::draws);
  asked.analysis.stats = is_any(&reports::Renderer::lists);
  asked.analysis.host_stacks = is_any(&reports::Renderer::folds);
  asked.analysis.explain_whole =
      std::any_of(outputs.begin(), outputs.end(),
                  [&](const Output& output) { return renderer_of(output).name == "json"; });
  for (const Output& output : outputs) {
    expect_stages({rendering_stage(output.file.path(), renderer_of(output).name, options.files)});
  }
  std::vector<analyzer::Report> results;
  const int status = analyze_files(asked, results);
  for (Output& output : outputs) {
    const ProgressBar bar(
        {rendering_stage(output.file.path(), renderer_of(output).name, options.files)});
    reports::TextStyle style = output.file.is_stdout() ? style_of_stdout() : style_of_files();
    style.verbose = options.verbose;
    renderer_of(output).render(results, style, output.file.stream());
  }
  finish_outputs(options.output, outputs);
  return status;
}

}  // namespace

void add_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand(
      "report", "Write a report, such as an HTML page, Markdown, a Perfetto trace or JSON");
  add_analysis_options(*command, *options);
  add_summaries_option(*command, *options);
  add_output_options(*command, options->output, report_formats());
  command->add_flag("-v,--verbose", options->verbose,
                    "Show every measure with its definition, and every table (only for text)");
  command->footer(
      "Example:\n  lapscope report t.sqlite -o report.html --open\n  lapscope report t.sqlite "
      "--format markdown,perfetto -o report\n  lapscope report run/ -o run.html    # all ranks of "
      "a folder\nExit status: 0 success, 2 usage error, 3 inconclusive, 4 a file cannot be read or "
      "written.");
  command->callback([options] {
    const bool of_ranks = is_run(*options);
    const int status = of_ranks ? write_run(*options) : write_reports(*options);
    exit_with(status);
  });
}

}  // namespace lapscope::cli
