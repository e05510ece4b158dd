#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/ranks/rank_work.h"
#include "analyzer/summary/summary.h"
#include "cli/analysis_options.h"
#include "reports/ranks/render_ranks.h"

// Reads runs. A run is a file, or a folder that `lapscope record -o FOLDER/` wrote. Such a folder
// has one trace for each process of the run.
namespace lapscope::cli {

// Returns the entries of a folder for which `is_meant` returns true, sorted by name. Throws
// std::runtime_error with a sentence if the folder cannot be read.
std::vector<std::string> files_in(
    const std::string& folder,
    const std::function<bool(const std::filesystem::directory_entry&)>& is_meant);

// Returns the traces in a folder, of any format, sorted by name; empty if `folder` is not a folder.
// Throws std::runtime_error with a sentence if the folder cannot be read.
std::vector<std::string> traces_in(const std::string& folder);

// The files of one run.
struct RunFolder {
  std::string path;
  std::vector<std::string> files;  // sorted by name; empty if the folder holds no run
  // Whether the files are summaries that `summarize --ranks` wrote, instead of traces.
  bool holds_summaries = false;
};

// Returns the traces in a folder. Returns the summaries of ranks instead if `summaries` is true or
// if the folder has no traces. Returns no files if `path` is not a folder. Throws
// std::runtime_error with a sentence if the folder cannot be read, or if `summaries` is true and
// there are no summaries.
RunFolder run_in(const std::string& path, bool summaries = false);

// Replaces each folder of a run by the files of this run (run_in()), and returns all paths. Throws
// std::runtime_error with a sentence if a folder cannot be read.
std::vector<std::string> files_of_runs(const std::vector<std::string>& paths);

// Whether the command line names the folder of a run (run_in()). The ranks of such a run are
// analyzed together. Throws CLI::ValidationError if the command line also names other files.
bool is_run(const AnalysisOptions& options);

// Announces that the traces of a run will be analyzed. Throws WrongUsage if the options name a
// window, a range, profiler brackets or iterations, because they select work of a single trace.
void expect_analyses(const RunFolder& folder, const analyzer::AnalyzeOptions& options);

// Reads and analyzes the traces of a run, one after the other, or reads the summaries of its ranks.
// Shows progress on a terminal; call expect_analyses() first. Throws std::runtime_error with a
// sentence if no rank has GPU work, or if a summary cannot be read. Also throws the exceptions of
// analyzer::read_trace.
reports::RunReport analyze_ranks(const RunFolder& folder, const analyzer::AnalyzeOptions& options);

// Reads and analyzes a trace. Returns the data of its ranks for the joint analysis of all ranks.
std::vector<analyzer::RankWork> rank_works_of(const std::string& file,
                                              const analyzer::AnalyzeOptions& options);

// Returns a summary of each rank, in the order of ranks. The summary of a rank has no measures if
// the rank was read from a rank summary. Every summary includes the defects of the whole folder.
// `options` must come from for_summary(). The traces must have been analyzed with `options`.
std::vector<analyzer::RunSummary> summarize_ranks(const reports::RunReport& run,
                                                  const analyzer::AnalyzeOptions& options);

// Whether a file is a summary. A JSON file can also be a trace of another tool.
bool is_summary(const std::string& file);

struct RankedRun {
  reports::RunReport run;
  std::vector<analyzer::RunSummary> ranks;  // the results of summarize_ranks()
};

// Reads traces and summaries, each file once.
class RunReader {
 public:
  // `options` apply to traces only. The results in a summary depend on the options with which the
  // summary was made.
  explicit RunReader(analyzer::AnalyzeOptions options);

  // Announces files that will be read, so that the displayed progress includes them.
  void expect(const std::vector<std::string>& files) const;

  // Returns the runs of a file. A trace has one run, and a summary may contain several. Throws the
  // exceptions of read_trace and read_summary.
  const std::vector<analyzer::RunSummary>& runs_of(const std::string& file);
  // Returns the runs of all files, in order.
  std::vector<analyzer::RunSummary> runs_of(const std::vector<std::string>& files);

  // Returns the ranks of the run in `folder`, from traces or rank summaries; null if there are
  // none. Throws the exceptions of analyze_ranks.
  const RankedRun* ranks_of(const std::string& folder);

  // Returns the report of a trace with its timeline; null for a summary. The report lives as long
  // as the reader. Call this before runs_of(), so that the file is read only once.
  const analyzer::Report* report_to_draw(const std::string& file);

 private:
  analyzer::AnalyzeOptions options_;
  std::map<std::string, analyzer::Report> drawn_;
  std::map<std::string, std::vector<analyzer::RunSummary>> read_;
  std::map<std::string, std::optional<RankedRun>> ranks_;
};

// Throws WrongUsage if a file is named twice, even under another path or through a link. If one run
// were read twice, its two equal results would hide how much runs vary.
void refuse_repeated(const std::vector<std::string>& files);

}  // namespace lapscope::cli
