#pragma once

#include <map>
#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::test {

// Every exact figure of a report as lines "NAME device N WHAT VALUE": measures as the integers they
// are made of, states, engines, causes of gaps. What was looked at once is recognised by a
// comparison of texts.
std::string figures_of(const std::string& name, const analyzer::Report& report);

// The reports of all traces in a folder, by file name without its ending, the whole run as scope.
// They are made once a program.
const std::map<std::string, analyzer::Report>& reports_of_folder(const std::string& folder);

// The figures of the traces of a folder.
std::string figures_of_folder(const std::string& folder);

}  // namespace lapscope::test
