#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "cli/progress_bar.h"

// What commands do with a file, and how long that takes by its size: where that was measured, see
// research/analyze-speed.md.
namespace lapscope::cli {

// Reading a trace or an export: rows, and what is made of them.
std::vector<Stage> reading_stages(const std::string& file);
// Looking for damaged pages.
Stage checking_stage(const std::string& file);
// Making a trace of a file that is no database, which is read then.
Stage importing_stage(const std::string& file);
std::vector<Stage> sorting_stages(const std::string& file);
Stage converting_stage(const std::string& file);

// By analyzer::AnalysisPart.
std::vector<Stage> analysis_stages(const std::string& file,
                                   const analyzer::AnalyzeOptions& options);
// One fix, or a few together.
Stage predicting_stage(const std::string& file);

// `inputs` are the traces that the result covers.
Stage rendering_stage(const std::string& output, std::string_view format,
                      const std::vector<std::string>& inputs);

}  // namespace lapscope::cli
