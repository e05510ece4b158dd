#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// What is judged of a device: a window, and the ops that belong to it. An op that reaches over the
// window's border counts with the part inside.
//
//   window        |------------|
//   ops      [aaaa|aaa]  [bb]  |  [cc]     a counts from the border on, c is not in the scope
struct Scope {
  Interval window;
  std::vector<std::uint32_t> ops;
};

// All ops, from the first start to the last end. Requires at least one op.
Scope whole(const Ops& ops);

// A stretch of time, as given: it may begin or end with idle time. Empty when no op reaches into
// it.
std::optional<Scope> within(const Ops& ops, Interval window);

// The ops whose issuing calls lie inside one of these NVTX ranges (of the thread that opened it),
// from their first start to their last end: what the ranges caused, whenever it ran. Empty when
// they caused nothing.
std::optional<Scope> issued_in(const Ops& ops, const Calls& calls,
                               const std::vector<NvtxRange>& ranges);

}  // namespace lapscope::analyzer
