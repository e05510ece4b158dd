#pragma once

#include <random>

#include "analyzer/model/trace.h"

namespace lapscope::test {

// Makes a random trace (tests/analyzer/support/random_rows.h), reads it from a file and multiplies
// its times by `stretch`. If `stretch` is 1, all durations are below the latencies that lapscope
// assumes. If `stretch` is 100, ops take up to 150 us.
analyzer::Trace random_trace(std::mt19937& random, std::int64_t stretch);

// Multiplies all times of a trace.
void stretch_times(analyzer::Trace& trace, std::int64_t factor);

// Gives the streams new random ids, and restores the order that Trace requires.
void rename_streams(analyzer::Trace& trace, std::mt19937& random);

}  // namespace lapscope::test
