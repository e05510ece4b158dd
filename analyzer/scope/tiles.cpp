#include "analyzer/scope/tiles.h"

namespace lapscope::analyzer {

void for_each_tile(const Ops& ops, const Scope& scope, std::span<const Ns> borders,
                   const std::function<void(const Scope& tile)>& f) {
  // The ops that start before the end of the tile, and may reach into the tile.
  std::vector<std::uint32_t> reaching;
  std::size_t next = 0;  // in scope.ops
  Scope tile;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    const Interval window{borders[i], borders[i + 1]};
    if (window.length() <= 0) continue;
    std::erase_if(reaching, [&](std::uint32_t op) { return ops.end[op] <= window.start; });
    for (; next < scope.ops.size() && ops.start[scope.ops[next]] < window.end; ++next) {
      const std::uint32_t op = scope.ops[next];
      const bool is_instant = ops.start[op] == ops.end[op] && ops.start[op] >= window.start;
      if (ops.end[op] > window.start || is_instant) reaching.push_back(op);
    }
    tile.window = window;
    tile.ops.assign(reaching);
    f(tile);
  }
}

std::vector<Ns> equal_borders(Interval window, std::int64_t parts) {
  const Ns length = window.length();
  parts = std::min(parts, length);
  std::vector<Ns> borders;
  for (std::int64_t part = 0; part <= parts; ++part) {
    // Computes length * part / parts without an overflow of 64 bits.
    const Ns whole_parts = parts > 0 ? length / parts * part : 0;
    const Ns rest = parts > 0 ? length % parts * part / parts : 0;
    borders.push_back(window.start + whole_parts + rest);
  }
  return borders;
}

}  // namespace lapscope::analyzer
