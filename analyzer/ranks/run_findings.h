#pragma once

#include <cstddef>

#include "analyzer/ranks/run_program.h"
#include "analyzer/ranks/run_result.h"

namespace lapscope::analyzer {

// The greatest number of ranks that are examined as stragglers.
inline constexpr std::size_t most_suspects = 16;

// Adds findings and questions to a run whose ranks and window are set. Leaves out those that save
// less than the share `least_saving` of the window. Requires at least two ranks. Savings are
// differences between replays. Only the saving of pipeline_bubble comes from recorded waits, and is
// an upper bound.
void find_run_causes(const RunProgram& program, Share least_saving, RunResult& run);

}  // namespace lapscope::analyzer
