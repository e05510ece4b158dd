#pragma once

#include <nlohmann/json.hpp>

#include "analyzer/findings/causes_result.h"
#include "analyzer/host_time/host_time.h"

namespace lapscope::reports {

// What threads did between their calls: `host_time` of a scope.
nlohmann::ordered_json host_time_json(const analyzer::HostActivity& time);

// `host_work` of a finding.
nlohmann::ordered_json host_work_json(const analyzer::HostWork& work);

}  // namespace lapscope::reports
