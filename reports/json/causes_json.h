#pragma once

#include <nlohmann/json.hpp>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// Between what and what a program takes that a prediction is for, and what that rests on. `replay`
// is that of the unchanged run.
nlohmann::ordered_json error_band_json(const analyzer::Prediction& predicted,
                                       const analyzer::ReplayResult& replay);

// What the recorder's own time changed; null where nothing was taken off.
nlohmann::ordered_json correction_json(const std::optional<analyzer::Correction>& correction);

// The members findings, blame, replay, unexplained_share, conclusive, critical_path, bound,
// advice, assumed and correction; all null when causes were not analyzed.
nlohmann::ordered_json causes_json(const std::optional<analyzer::CausesResult>& causes);

}  // namespace lapscope::reports
