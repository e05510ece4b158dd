#pragma once

#include <string>
#include <vector>

#include "cli/analysis_options.h"
#include "reports/ranks/render_ranks.h"

// A folder as `lapscope record -o FOLDER/` writes it: a trace for each process of one run.
namespace lapscope::cli {

// The traces in it, of any format, by name; no manifest, and no other file. None of what is no
// folder. Throws std::runtime_error with a sentence where it cannot be read.
std::vector<std::string> traces_in(const std::string& folder);

// Reads and analyzes them, one after the other, showing progress on a terminal. Throws as
// traces_in() and analyzer::read_trace do, and std::runtime_error with a sentence where none of
// them has GPU work.
reports::RunReport analyze_ranks(const std::string& folder, const AnalysisOptions& options);

}  // namespace lapscope::cli
