#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analyzer/analysis/report.h"

namespace lapscope::test {

struct Approved {
  std::string file;  // in tests/reports/approved
  std::string text;
};

// What every renderer makes of a few reports, as tests/reports/approved has it after a person has
// looked.
std::vector<Approved> outputs_to_approve();

// All traces of tests/traces as `analyze` evaluates them, without timelines; made once.
const std::vector<analyzer::Report>& all_recorded_reports();
// What JSON has of each.
const std::vector<nlohmann::json>& all_recorded_json();

}  // namespace lapscope::test
