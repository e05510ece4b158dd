#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "cli/progress_bar.h"

// The stages of a command for one file. Their planned durations depend on the size of the file
// (research/analyze-speed.md).
namespace lapscope::cli {

// Returns the stages that read and sort the rows of a trace or an export.
std::vector<Stage> reading_stages(const std::string& file);
// Returns the stage that checks for damaged pages.
Stage checking_stage(const std::string& file);
// Returns the stage that imports another tool's file into a database.
Stage importing_stage(const std::string& file);
std::vector<Stage> sorting_stages(const std::string& file);
Stage converting_stage(const std::string& file);

// Returns one stage for each analyzer::AnalysisPart, in that order.
std::vector<Stage> analysis_stages(const std::string& file,
                                   const analyzer::AnalyzeOptions& options);
// Returns the stage that predicts one fix, or a few together.
Stage predicting_stage(const std::string& file);

// Returns the stage that renders one output. `inputs` are all traces in the output.
Stage rendering_stage(const std::string& output, std::string_view format,
                      const std::vector<std::string>& inputs);

}  // namespace lapscope::cli
