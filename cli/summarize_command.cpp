#include <algorithm>
#include <iterator>
#include <memory>

#include "analyzer/ranks/rank_summary.h"
#include "analyzer/summary/summary.h"
#include "analyzer/summary/summary_file.h"
#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/runs.h"
#include "reports/words/health_words.h"
#include "reports/words/summary_words.h"

namespace lapscope::cli {
namespace {

struct SummarizeOptions : AnalysisOptions {
  std::string output = "-";
  bool ranks = false;
};

// Writes the file that --summaries reads. For each trace, this file has the data for the joint
// analysis of all ranks.
int write_ranks_of(const SummarizeOptions& options) {
  std::vector<std::string> traces;
  for (const std::string& file : options.files) {
    const std::vector<std::string> in_folder = traces_in(file);
    traces.insert(traces.end(), in_folder.begin(), in_folder.end());
    if (in_folder.empty()) traces.push_back(file);
  }
  OutputFile file(options.output, traces);
  expect_analyses(traces, options.analysis);
  std::vector<analyzer::RankWork> works;
  for (const std::string& trace : traces) {
    std::vector<analyzer::RankWork> of_trace = rank_works_of(trace, options.analysis);
    if (of_trace.empty()) say("'", trace, "' has no GPU work: the summary leaves it out.");
    for (analyzer::RankWork& work : of_trace) {
      works.push_back(std::move(work));
    }
  }
  write_rank_summary(works, file.stream());
  file.commit();
  return good;
}

// Reads the named files, or the ranks of the named folder.
int read(const SummarizeOptions& options, std::vector<analyzer::Report>& results) {
  const std::string& folder = options.files.front();
  const std::vector<std::string> traces = traces_in(folder);
  if (traces.empty()) {
    analyze_files(options, results);
    return good;
  }
  if (options.files.size() > 1) {
    throw WrongUsage("'" + folder + "' is a folder, which is one run: name it alone");
  }
  expect_analyses(traces, options.analysis);
  reports::RunReport run = analyze_ranks({folder, traces}, options.analysis);
  results = std::move(run.reports);
  for (const analyzer::RunDefectRow& defect : run.run.defects) {
    say("'", folder, "' is not summarized: ", reports::sentence_of(defect));
    return inconclusive;
  }
  return good;
}

// Writes the summary only if all runs are reliable, so that no baseline contains a run with a
// defect.
int write_summary_of(const SummarizeOptions& options) {
  refuse_repeated(options.files);
  OutputFile file(options.output, files_of_runs(options.files));
  std::vector<analyzer::Report> results;
  if (const int status = read(options, results); status != good) return status;
  std::vector<analyzer::RunSummary> runs;
  for (const analyzer::Report& report : results) {
    for (const analyzer::HealthRow& row : report.health) {
      if (severity_of(row) == analyzer::Severity::info) continue;
      const bool is_error = severity_of(row) == analyzer::Severity::error;
      say("'", report.trace.file, "'", (is_error ? " is not summarized: " : ": "),
          reports::message_of(row));
      if (is_error) return inconclusive;
    }
    for (const analyzer::DeviceResult& device : report.devices) {
      if (device.scope.impossible_ops == 0) continue;
      say("'", report.trace.file, "' is not summarized: ops of device ", device.id,
          " have impossible times.");
      return inconclusive;
    }
    runs.push_back(summarize(report, options.analysis, reports::wording));
    const auto same =
        std::find_if(runs.begin(), std::prev(runs.end()),
                     [&runs](const auto& before) { return are_same_run(before, runs.back()); });
    if (same == std::prev(runs.end())) continue;
    throw WrongUsage("'" + same->source() + "' and '" + report.trace.file +
                     "' are the same run, which is no repeat of itself");
  }
  write_summary(runs, file.stream());
  file.commit();
  return good;
}

}  // namespace

void add_summarize(CLI::App& app) {
  auto options = std::make_shared<SummarizeOptions>();
  options->analysis = analyzer::for_summary({});
  options->analysis.focus = analyzer::Focus::steady;
  CLI::App* command = app.add_subcommand(
      "summarize", "Write a summary of runs: a baseline for gate and diff, small enough to commit");
  add_scope_options(*command, *options);
  command->add_flag_callback(
      "--steady", [] {}, "Has no effect: a summary always contains the scope that analyze shows");
  command->add_option("-o,--output", options->output, "Output file; - is standard output")
      ->capture_default_str();
  command->add_flag("--ranks", options->ranks,
                    "Write summaries of ranks for `analyze --summaries FOLDER` instead of a "
                    "baseline. Run this command on each machine that has traces");
  command->footer(
      "Example:\n  lapscope summarize run1.sqlite run2.sqlite run3.sqlite -o base.json\n  lapscope "
      "gate new.sqlite --baseline base.json\n"
      "Exit status: 0 success, 2 usage error, 3 inconclusive, 4 unreadable file.");
  command->callback([options] {
    exit_with(options->ranks ? write_ranks_of(*options) : write_summary_of(*options));
  });
}

}  // namespace lapscope::cli
