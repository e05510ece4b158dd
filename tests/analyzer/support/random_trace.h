#pragma once

#include <random>

#include "analyzer/model/trace.h"

namespace lapscope::test {

// A random trace (tests/analyzer/support/random_rows.h) as it is read from a file, its times
// multiplied by `stretch`: at 1 all is shorter than what the analysis takes for latency, at 100 ops
// take up to 150 us.
analyzer::Trace random_trace(std::mt19937& random, std::int64_t stretch);

// The trace with all times multiplied.
void stretch_times(analyzer::Trace& trace, std::int64_t factor);

// Gives streams other ids, at random, and puts everything in the order that the model demands.
void rename_streams(analyzer::Trace& trace, std::mt19937& random);

}  // namespace lapscope::test
