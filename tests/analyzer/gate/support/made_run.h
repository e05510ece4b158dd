#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "analyzer/summary/summary.h"

namespace lapscope::test {

// Makes a run on one GPU with the given figures, 100 ops, all kinds of records and no defects. It
// has no causes and no steady state. Its identity is empty, so no two such runs differ in it.
//
//   made_run({{&overlap_ratio, 0.5}, {&wall, 9e6}})
analyzer::RunSummary made_run(
    std::initializer_list<std::pair<const analyzer::Measure*, double>> figures);

// Makes the same run, but with one undefined measure.
analyzer::RunSummary made_run_without(const analyzer::Measure& measure, const std::string& reason);

// Adds findings to the device of a run. A pair has the code of a cause, and the saving as a share
// of the wall time.
void add_findings(analyzer::RunSummary& run,
                  std::initializer_list<std::pair<const char*, double>> findings,
                  double replay_error = 0.01);

// Adds a steady state to a made run. The steady state gets the figures of the whole device.
void make_steady(analyzer::RunSummary& run, analyzer::SteadyState state,
                 const std::string& words = "steady");

// Adds an NVTX range to a made run. The range gets the figures of the whole device.
void add_range(analyzer::RunSummary& run, const std::string& name);

}  // namespace lapscope::test
