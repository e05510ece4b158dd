#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/graph/program.h"

namespace lapscope::analyzer {

// Copies that could be one: small ones of page-locked memory that a thread puts into a stream one
// after the other, the same way, without waiting for anything in between. What each of them takes
// is mostly its start and not its bytes.
//
//   thread    abcdeL....
//   stream 1  .ABCDEKKK.    A to E: 160 KiB in 5, which one copy brings in 1
//
// They count where there are enough_examples of them in a row.
struct CopyRun {
  std::vector<std::uint32_t> tasks;  // in the order of their issue
};

// None where it is not known what large copies go at: see CopyRates.
std::vector<CopyRun> small_copy_runs(const Trace& trace, const Issued& program, const Times& times);

}  // namespace lapscope::analyzer
