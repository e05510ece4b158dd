#pragma once

#include <nlohmann/json.hpp>

#include "analyzer/analysis/report.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/host_time/host_time.h"

namespace lapscope::reports {

// Makes room for all members of a scope, range or device. Without this, an object copies its
// members, with all that they contain, each time it grows.
void make_room(nlohmann::ordered_json& object);

// Makes room in `object`, and moves the members of `more` to its end.
void append(nlohmann::ordered_json& object, nlohmann::ordered_json&& more);

// Adds the members `certainty`, `error_band` and `not_validated_for`. Either `error_band` or
// `not_validated_for` is null. `error_band` is the range of a prediction, with the evidence for
// this range. `replay` is the replay of the unchanged run.
void add_validity_json(const analyzer::Prediction& predicted, const analyzer::ReplayResult& replay,
                       nlohmann::ordered_json& json);

// Returns the conditions under which a question would be a finding. The trace does not show whether
// these conditions hold.
nlohmann::ordered_json conditions_json(const analyzer::FindingResult& finding);

nlohmann::ordered_json replay_json(const analyzer::ReplayResult& replay);

// Describes the correction for the recorder's own time; null if there is none.
nlohmann::ordered_json correction_json(const std::optional<analyzer::Correction>& correction);

// Returns the members of a scope that describe its causes, from `findings` to `sample`. All are
// null if causes were not analyzed.
nlohmann::ordered_json causes_json(const std::optional<analyzer::CausesResult>& causes);

// Returns the member `host_time` of a scope, which shows what threads did between their calls.
nlohmann::ordered_json host_time_json(const analyzer::HostActivity& time);

// Returns `host_work` of a finding.
nlohmann::ordered_json host_work_json(const analyzer::HostWork& work);

}  // namespace lapscope::reports
