#pragma once

#include <map>
#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::test {

// Returns every exact figure of a report as lines "NAME device N WHAT VALUE". The figures are the
// integers behind measures, states, engines, and causes of gaps.
std::string figures_of(const std::string& name, const analyzer::Report& report);

// Returns the reports of all traces in a folder, by file name without its ending. The scope is the
// whole run. A test program makes the reports only once.
const std::map<std::string, analyzer::Report>& reports_of_folder(const std::string& folder);

// Returns the figures of the traces in a folder.
std::string figures_of_folder(const std::string& folder);

// Returns one line for each device of figures_of(): its most important figures, and a hash of the
// others. A change of any figure changes this line. Other lines stay as they are.
std::string shortened(const std::string& figures);

}  // namespace lapscope::test
