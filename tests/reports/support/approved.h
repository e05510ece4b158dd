#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analyzer/analysis/report.h"

namespace lapscope::test {

struct Approved {
  std::string file;  // its name in tests/reports/approved
  std::string text;
};

// Returns the output of every renderer for some reports. tests/reports/approved contains the
// reviewed output.
std::vector<Approved> outputs_to_approve();

// Returns the reports of all traces of tests/traces without timelines. They are made once.
const std::vector<analyzer::Report>& all_recorded_reports();
// Returns the JSON of each of these reports.
const std::vector<nlohmann::json>& all_recorded_json();

}  // namespace lapscope::test
