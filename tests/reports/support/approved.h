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

// Returns the output of every renderer for some reports. tests/reports/approved has the approved
// output.
std::vector<Approved> outputs_to_approve();

// Returns the reports of all traces in tests/traces, without timelines. Makes them only once.
const std::vector<analyzer::Report>& all_recorded_reports();
// Returns the JSON of each report of all_recorded_reports().
const std::vector<nlohmann::json>& all_recorded_json();

}  // namespace lapscope::test
