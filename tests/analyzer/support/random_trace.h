#pragma once

#include <random>

#include "analyzer/model/trace.h"

namespace lapscope::test {

// Reads a random trace (tests/analyzer/support/random_rows.h) from a file and multiplies its times
// by `stretch`. At 1, all durations are shorter than assumed latencies. At 100, ops take up to 150
// us.
analyzer::Trace random_trace(std::mt19937& random, std::int64_t stretch);

// Multiplies all times of a trace.
void stretch_times(analyzer::Trace& trace, std::int64_t factor);

// Gives streams other random ids and restores the order that the model requires.
void rename_streams(analyzer::Trace& trace, std::mt19937& random);

}  // namespace lapscope::test
