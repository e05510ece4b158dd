#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// The contents of LAPSCOPE_HOST_SAMPLES and LAPSCOPE_HOST_SAMPLING. Empty if the trace has no table
// LAPSCOPE_HOST_SAMPLES.
struct ReadSamples {
  HostSamples samples;               // without stacks and chains
  std::vector<std::int64_t> chains;  // by sample: CUDA_CALLCHAINS.id, or no_chain
  std::vector<HealthRow> health;

  static constexpr std::int64_t no_chain = -1;
};

// Reads the samples. Leaves out samples with impossible times. The sampling interval of the result
// is the recorded interval or the median time between samples, whichever is longer.
ReadSamples read_host_samples(schema::Database& database);

}  // namespace lapscope::analyzer
