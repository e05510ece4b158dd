#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/ranks/rank_work.h"
#include "analyzer/summary/summary.h"
#include "cli/analysis_options.h"
#include "reports/ranks/render_ranks.h"

// Functions for a folder that `lapscope record -o FOLDER/` wrote: one trace for each process of a
// run.
namespace lapscope::cli {

// Returns the entries of a folder that are meant, sorted by name. Throws std::runtime_error with a
// sentence if the folder cannot be read.
std::vector<std::string> files_in(
    const std::string& folder,
    const std::function<bool(const std::filesystem::directory_entry&)>& is_meant);

// Returns the traces in a folder, of any format, sorted by name. Leaves out manifests, summaries
// and other files. Empty if `folder` is not a folder. Throws std::runtime_error with a sentence if
// the folder cannot be read.
std::vector<std::string> traces_in(const std::string& folder);

// Returns the summaries of ranks in a folder, sorted by name. Throws std::runtime_error with a
// sentence if the folder cannot be read.
std::vector<std::string> rank_summaries_in(const std::string& folder);

// Whether the command line names one run, whose ranks are analyzed together. A run is a folder of
// traces, or with --summaries a folder of summaries. Throws CLI::ValidationError if the command
// line names other files beside the folder.
bool is_run(const AnalysisOptions& options);

// Reads and analyzes the traces in `folder`, one after the other. Shows progress on a terminal;
// call expect_analyses() first. Throws std::runtime_error with a sentence if no trace has GPU work.
// Also throws what traces_in() and analyzer::read_trace throw.
reports::RunReport analyze_ranks(const std::string& folder,
                                 const analyzer::AnalyzeOptions& options);

// Reads and analyzes a trace. Returns only the data that the joint analysis of all ranks needs.
std::vector<analyzer::RankWork> rank_works_of(const std::string& file,
                                              const analyzer::AnalyzeOptions& options);

// Like analyze_ranks(), but reads summaries instead of traces. A summary was made on the machine on
// which the rank ran. Throws std::runtime_error with a sentence if the folder has no summary, or if
// a summary cannot be read.
reports::RunReport analyze_rank_summaries(const std::string& folder,
                                          const analyzer::AnalyzeOptions& options);

// Returns a summary of each trace with GPU work, in the order of ranks. If the folder as a whole
// has a defect, every summary names it. `options` must come from for_summary(). The traces must
// have been analyzed with these `options`.
std::vector<analyzer::RunSummary> summarize_ranks(const reports::RunReport& run,
                                                  const analyzer::AnalyzeOptions& options);

}  // namespace lapscope::cli
