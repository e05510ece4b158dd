#pragma once

#include <nlohmann/json.hpp>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// The members findings, blame, replay and bound; all null when causes were not analyzed.
nlohmann::ordered_json causes_json(const std::optional<analyzer::CausesResult>& causes);

}  // namespace lapscope::reports
