#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/graph/program.h"

namespace lapscope::analyzer {

// A run of small copies that could be one copy. A thread issues the copies to one stream, in one
// direction, from or to page-locked memory, without waiting in between. Each copy takes longer to
// start than to move its bytes.
//
//   thread    abcdeL....
//   stream 1  .ABCDEKKK.    A to E copy 160 KiB in 5 columns. One copy would take 1 column.
//
// A run has at least assumed::enough_examples copies.
struct CopyRun {
  std::vector<std::uint32_t> tasks;  // in the order of their issue
};

// Returns the runs of copies in each direction for which the rate of large copies is known
// (CopyRates).
std::vector<CopyRun> small_copy_runs(const Trace& trace, const Issued& program, const Times& times);

}  // namespace lapscope::analyzer
