#pragma once

#include <span>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/scoped.h"

namespace lapscope::analyzer {

// A stretch of the critical path: what the wall time was spent on, walking back from the last end
// to the first start along what held each task up. Stretches follow each other and fill the window.
struct PathPart {
  Interval interval;
  bool is_work = false;
  Engine engine = Engine::compute;   // of work
  std::uint16_t device = 0;          // of work
  Cause cause = Cause::unexplained;  // of waiting
  std::uint32_t task = no_index;     // that worked, or waited; no_index after the last end
  std::uint32_t step = no_index;     // of waiting for the host
};

// The critical path of a scope, as recorded, the first part first.
std::vector<PathPart> critical_path(const Graph& graph, const Scoped& scope);

// What a path was spent on, most first. Work of another device than this is called other-device.
std::vector<BlameRow> blame_of(std::span<const PathPart> path, std::uint16_t device);

// The part of a wall time that no cause accounts for.
double unexplained_share(std::span<const BlameRow> blame, std::int64_t wall_ns);

}  // namespace lapscope::analyzer
