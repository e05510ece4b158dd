#pragma once

#include <nlohmann/json.hpp>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// Adds the members error_band, the range of the program's time for a prediction and what that range
// rests on, and not_validated_for: one of them is null. `replay` is the replay of the unchanged
// run.
void add_validity_json(const analyzer::Prediction& predicted, const analyzer::ReplayResult& replay,
                       nlohmann::ordered_json& json);

// The conditions for a question to be a finding, which the trace does not show.
nlohmann::ordered_json conditions_json(const analyzer::FindingResult& finding);

nlohmann::ordered_json replay_json(const analyzer::ReplayResult& replay);

// What the recorder's own time changed; null where nothing was taken off.
nlohmann::ordered_json correction_json(const std::optional<analyzer::Correction>& correction);

// The members findings, blame, replay, unexplained_share, conclusive, critical_path, bound,
// advice, assumed and correction; all null when causes were not analyzed.
nlohmann::ordered_json causes_json(const std::optional<analyzer::CausesResult>& causes);

}  // namespace lapscope::reports
