#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Cuts a scope into the consecutive windows [borders[0], borders[1]) and so on. Calls f(tile) for
// each window. `tile` has the ops that reach into the window; there may be none. `borders` must
// ascend. Skips windows of length 0. The time is linear in the number of ops, and in the number of
// times that an op crosses a border.
//
//   borders   |    |    |
//   ops      AAA  BB  CCC       A in the first window, B in both, C in the second
void for_each_tile(const Ops& ops, const Scope& scope, std::span<const Ns> borders,
                   const std::function<void(const Scope& tile)>& f);

// Returns parts + 1 ascending borders that cut a window into equal parts. The lengths of the parts
// differ by at most 1 ns. In a window shorter than `parts` ns, a part has 1 ns or 0 ns.
std::vector<Ns> equal_borders(Interval window, std::int64_t parts);

}  // namespace lapscope::analyzer
