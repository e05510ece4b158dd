#pragma once

#include <string>

#include "analyzer/analysis/analyze.h"
#include "analyzer/summary/summary.h"

namespace lapscope::test {

// A recorded trace, by its name without the extension, analyzed with the kernels of all scopes.
analyzer::Report recorded_report(const std::string& name, analyzer::AnalyzeOptions options = {});
analyzer::RunSummary recorded_run(const std::string& name, analyzer::AnalyzeOptions options = {});

}  // namespace lapscope::test
