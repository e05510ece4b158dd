#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Cuts a scope into windows that follow each other, [borders[0], borders[1]) and so on, and calls f
// for each in turn with the ops that reach into it. `borders` ascend. f is called for a window
// without ops, too, but not for one without length. Takes time linear in the ops and the ops across
// borders.
//
//   borders   |    |    |
//   ops      AAA  BB  CCC       A in the first window, B in both, C in the second
void for_each_tile(const Ops& ops, const Scope& scope, std::span<const Ns> borders,
                   const std::function<void(const Scope& tile)>& f);

// Where a window is cut into `parts` intervals of equal length, to a ns: parts + 1 instants that
// ascend. A window of fewer ns than parts gives as many intervals as it has ns.
std::vector<Ns> equal_borders(Interval window, std::int64_t parts);

}  // namespace lapscope::analyzer
