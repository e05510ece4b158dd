#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/ranks/rank_work.h"
#include "analyzer/summary/summary.h"
#include "reports/ranks/render_ranks.h"

// A folder as `lapscope record -o FOLDER/` writes it: a trace for each process of one run.
namespace lapscope::cli {

// The traces in it, of any format, by name; no manifest, no summary, and no other file. Empty for
// what is no folder. Throws std::runtime_error with a sentence if it cannot be read.
std::vector<std::string> traces_in(const std::string& folder);

// The summaries of ranks in a folder, by name.
std::vector<std::string> rank_summaries_in(const std::string& folder);

// Whether a folder of traces is among the files: one run, whose ranks are analyzed together. Throws
// CLI::ValidationError where it is not alone.
bool is_run(const std::vector<std::string>& files);

// Reads and analyzes them, one after the other, showing progress on a terminal (expect_analyses()
// says how far). Throws as traces_in() and analyzer::read_trace do, and std::runtime_error with a
// sentence where none of them has GPU work.
reports::RunReport analyze_ranks(const std::string& folder,
                                 const analyzer::AnalyzeOptions& options);

// What the analysis of a run needs of one trace, which is all that is kept of it.
std::vector<analyzer::RankWork> rank_works_of(const std::string& file,
                                              const analyzer::AnalyzeOptions& options);

// Likewise for summaries instead of traces: of ranks that were summarized where they ran. Throws
// std::runtime_error with a sentence if there are none, or one cannot be read.
reports::RunReport analyze_rank_summaries(const std::string& folder,
                                          const analyzer::AnalyzeOptions& options);

// The summary of each trace with GPU work, in the order of ranks. What is wrong with the folder as
// one run is a defect of each. The options are those of the analysis, which are for_summary.
std::vector<analyzer::RunSummary> summarize_ranks(const reports::RunReport& run,
                                                  const analyzer::AnalyzeOptions& options);

}  // namespace lapscope::cli
