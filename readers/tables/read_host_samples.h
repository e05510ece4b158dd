#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// What LAPSCOPE_HOST_SAMPLES and LAPSCOPE_HOST_SAMPLING contain. Empty without the first.
struct ReadSamples {
  HostSamples samples;               // without stacks and chains
  std::vector<std::int64_t> chains;  // by sample, CUDA_CALLCHAINS.id; none where there is no stack
  std::vector<HealthRow> health;

  static constexpr std::int64_t no_chain = -1;
};

// Samples whose time cannot be believed are left out. If the program ended before it recorded how
// often it was looked at, the intervals themselves show that.
ReadSamples read_host_samples(schema::Database& database);

}  // namespace lapscope::analyzer
