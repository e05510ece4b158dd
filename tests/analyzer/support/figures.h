#pragma once

#include <map>
#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::test {

// Returns every exact figure of a report as lines "NAME device N WHAT VALUE": integers behind
// measures, states, engines and causes of gaps.
std::string figures_of(const std::string& name, const analyzer::Report& report);

// Returns the reports of all traces in a folder, by file name without its ending. The scope is the
// whole run. Each report is made only once.
const std::map<std::string, analyzer::Report>& reports_of_folder(const std::string& folder);

// Returns the figures of the traces in a folder.
std::string figures_of_folder(const std::string& folder);

// Shortens a result of figures_of(). Replaces the lines of a device by one line, with the device's
// main figures and a hash of its other figures.
std::string shortened(const std::string& figures);

}  // namespace lapscope::test
