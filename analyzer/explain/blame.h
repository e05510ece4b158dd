#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/explain/walk_back.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

enum class BlameKind { work, wait };

std::string_view name_of(BlameKind kind);

// The part of the critical path that is work on one engine, or waiting because of one cause. `code`
// is the name of the engine or the code of the cause. The critical path is the chain of work and
// waits that leads from the first op to the last op.
struct BlameRow {
  std::string_view code;
  BlameKind kind = BlameKind::wait;
  Ns ns = 0;
};

// Returns the work and the waits on which the time of a path was spent, longest first. `device` is
// the device of the path. Work of other devices has the code "other-device".
std::vector<BlameRow> blame_of(std::span<const Part> path, std::uint16_t device);

// Returns the share of the wall time that no cause accounts for: unexplained waiting, and idle time
// at the end of a window.
Share unexplained_share(std::span<const BlameRow> blame, Ns wall_ns);

}  // namespace lapscope::analyzer
