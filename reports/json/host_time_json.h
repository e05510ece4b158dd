#pragma once

#include <nlohmann/json.hpp>

#include "analyzer/findings/causes_result.h"
#include "analyzer/host_time/host_time.h"

namespace lapscope::reports {

// Returns the member `host_time` of a scope, which shows what threads did between their calls.
nlohmann::ordered_json host_time_json(const analyzer::HostActivity& time);

// Returns `host_work` of a finding.
nlohmann::ordered_json host_work_json(const analyzer::HostWork& work);

}  // namespace lapscope::reports
