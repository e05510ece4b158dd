#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/ranks/rank_work.h"
#include "analyzer/summary/summary.h"
#include "cli/analysis_options.h"
#include "reports/ranks/render_ranks.h"

// A folder as `lapscope record -o FOLDER/` writes it: a trace for each process of one run.
namespace lapscope::cli {

// The traces in it, of any format, by name; no manifest, no summary, and no other file. Empty for
// what is no folder. Throws std::runtime_error with a sentence if it cannot be read.
std::vector<std::string> traces_in(const std::string& folder);

// The summaries of ranks in a folder, by name.
std::vector<std::string> rank_summaries_in(const std::string& folder);

// Whether what was named is one run, whose ranks are analyzed together: a folder of traces, or with
// --summaries of summaries. Throws CLI::ValidationError where it is not named alone.
bool is_run(const AnalysisOptions& options);

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
