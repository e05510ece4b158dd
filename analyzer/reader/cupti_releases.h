#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/health.h"

namespace lapscope::analyzer {

// What NVIDIA's release notes say is wrong with the records of this CUPTI (cuptiGetVersion: 18 to
// 28 for CUDA 12, 130001 for 13.0 update 1), as far as it concerns a trace. The one release that
// is not used at all, 130000, is refused while recording.
void add_known_defects(std::int64_t cupti_version, std::vector<HealthRow>& health);

}  // namespace lapscope::analyzer
