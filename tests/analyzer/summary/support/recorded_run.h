#pragma once

#include <string>

#include "analyzer/analysis/analyze.h"
#include "analyzer/summary/summary.h"

namespace lapscope::test {

// Analyzes a recorded trace with the options of for_summary(). `name` is the file name without its
// extension.
analyzer::Report recorded_report(const std::string& name, analyzer::AnalyzeOptions options = {});
analyzer::RunSummary recorded_run(const std::string& name,
                                  const analyzer::AnalyzeOptions& options = {});

}  // namespace lapscope::test
