#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/graph/program.h"

namespace lapscope::analyzer {

// A run of small copies that could be one copy. A thread issues the copies to one stream, in one
// direction, from or to page-locked memory, without waiting in between. Each copy takes longer to
// start than to move its bytes.
//
//   thread    abcdek....    K is a kernel. A to E copy 160 KiB together.
//   stream 1  .ABCDEKKK.    They take 5 columns. A single copy would take 1 column.
//
// A run has at least assumed::enough_examples copies.
struct CopyRun {
  std::vector<std::uint32_t> tasks;  // in the order of their issue
};

// Returns the runs of copies of all streams. Leaves out the copies in a direction if the rate of
// large copies in this direction is not known (CopyRates).
std::vector<CopyRun> small_copy_runs(const Trace& trace, const Issued& program, const Times& times);

}  // namespace lapscope::analyzer
