#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Cuts a scope into consecutive windows, [borders[0], borders[1]) and so on. `borders` must ascend.
// Calls f for each window with the ops that reach into it. A window may have no ops. Windows of
// length 0 are skipped. The run time is linear in the number of ops plus the number of crossings of
// borders.
//
//   borders   |    |    |
//   ops      AAA  BB  CCC       A in the first window, B in both, C in the second
void for_each_tile(const Ops& ops, const Scope& scope, std::span<const Ns> borders,
                   const std::function<void(const Scope& tile)>& f);

// Cuts a window into `parts` intervals, and returns parts + 1 ascending borders. The lengths of the
// intervals differ by at most 1 ns. A window shorter than `parts` ns is cut into intervals of 1 ns.
std::vector<Ns> equal_borders(Interval window, std::int64_t parts);

}  // namespace lapscope::analyzer
