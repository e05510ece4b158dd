#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/explain/walk_back.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

enum class BlameKind { work, wait };

std::string_view name_of(BlameKind kind);

// A part of the critical path, which leads from the first op to the last one along what delayed
// each op. It is work on an engine (`code` is the engine's name), or waiting for one cause (`code`
// is the code of the cause).
struct BlameRow {
  std::string_view code;
  BlameKind kind = BlameKind::wait;
  Ns ns = 0;
};

// What a path was spent on, most first. Work of another device than this is called other-device.
std::vector<BlameRow> blame_of(std::span<const Part> path, std::uint16_t device);

// The part of a wall time that no cause accounts for: what is not explained, and idle time at the
// end of a window.
Share unexplained_share(std::span<const BlameRow> blame, Ns wall_ns);

}  // namespace lapscope::analyzer
