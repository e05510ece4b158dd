#include "analyzer/scope/tiles.h"

namespace lapscope::analyzer {

void for_each_tile(const Ops& ops, const Scope& scope, std::span<const std::int64_t> borders,
                   const std::function<void(const Scope& tile)>& f) {
  std::vector<std::uint32_t> reaching;  // started before the tile ends, and may reach into it
  std::size_t next = 0;                 // in scope.ops
  for (std::size_t tile = 0; tile + 1 < borders.size(); ++tile) {
    const Interval window{borders[tile], borders[tile + 1]};
    if (window.length() <= 0) continue;
    std::erase_if(reaching, [&](std::uint32_t op) { return ops.end[op] <= window.start; });
    for (; next < scope.ops.size() && ops.start[scope.ops[next]] < window.end; ++next) {
      const std::uint32_t op = scope.ops[next];
      const bool is_instant = ops.start[op] == ops.end[op] && ops.start[op] >= window.start;
      if (ops.end[op] > window.start || is_instant) reaching.push_back(op);
    }
    f(Scope{window, OpSet::of(reaching)});
  }
}

}  // namespace lapscope::analyzer
