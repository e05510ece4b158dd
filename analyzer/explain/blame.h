#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/explain/walk_back.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

enum class BlameKind { work, wait };

std::string_view name_of(BlameKind kind);

// A part of the time of the critical path: all work on one engine, or all waiting with one cause.
// `code` is the name of the engine or the code of the cause.
struct BlameRow {
  std::string_view code;
  BlameKind kind = BlameKind::wait;
  Ns ns = 0;
};

// Returns the rows of a critical path, longest time first. Work on other devices than `device` has
// the code "other-device".
std::vector<BlameRow> blame_of(std::span<const Part> path, std::uint16_t device);

// Returns the share of the wall time in the rows `unexplained` and `not-issued`. Time after the
// last op is `not-issued`.
Share unexplained_share(std::span<const BlameRow> blame, Ns wall_ns);

}  // namespace lapscope::analyzer
