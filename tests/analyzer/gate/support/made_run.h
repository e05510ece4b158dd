#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "analyzer/summary/summary.h"

namespace lapscope::test {

// A run on one GPU with the figures that a test needs: 100 ops, sound, with all records,
// indistinguishable from other runs, without causes, and without a steady state.
//
//   made_run({{&overlap_ratio, 0.5}, {&wall, 9e6}})
analyzer::RunSummary made_run(
    std::initializer_list<std::pair<const analyzer::Measure*, double>> figures);

// The same with a measure that is not defined.
analyzer::RunSummary made_run_without(const analyzer::Measure& measure, const std::string& reason);

// Makes the causes of a run's device known: one finding for each code, with what its fix saves as a
// share of the wall time.
void add_findings(analyzer::RunSummary& run,
                  std::initializer_list<std::pair<const char*, double>> findings,
                  double replay_error = 0.01);

// The run of a whole device made into that of a steady state, too.
void make_steady(analyzer::RunSummary& run, analyzer::SteadyState state,
                 const std::string& words = "steady");

// The run of a whole device made into that of a range, too.
void add_range(analyzer::RunSummary& run, const std::string& name);

}  // namespace lapscope::test
