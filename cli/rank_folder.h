#pragma once

#include <string>
#include <vector>

#include "cli/analysis_options.h"
#include "reports/ranks/render_ranks.h"

// A folder as `lapscope record -o FOLDER/` writes it: a trace for each process of one run.
namespace lapscope::cli {

bool is_folder(const std::string& path);

// The traces in it, of any format, by name; no manifest, and no other file. Throws
// std::runtime_error with a sentence where there is none.
std::vector<std::string> traces_in(const std::string& folder);

// Reads and analyzes them, one after the other, showing progress on a terminal. Throws as
// traces_in() and analyzer::read_trace do.
reports::RunReport analyze_ranks(const std::string& folder, const AnalysisOptions& options);

}  // namespace lapscope::cli
