#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Cuts a scope into consecutive windows, [borders[0], borders[1]) and so on, and calls f for each
// with the ops that reach into it, maybe none. `borders` must ascend. Windows of length 0 are
// skipped. The time is linear in the ops and in the crossings of borders.
//
//   borders   |    |    |
//   ops      AAA  BB  CCC       A in the first window, B in both, C in the second
void for_each_tile(const Ops& ops, const Scope& scope, std::span<const Ns> borders,
                   const std::function<void(const Scope& tile)>& f);

// Returns parts + 1 ascending borders. The lengths differ by at most 1 ns. A window shorter than
// `parts` ns is cut into intervals of 1 ns.
std::vector<Ns> equal_borders(Interval window, std::int64_t parts);

}  // namespace lapscope::analyzer
