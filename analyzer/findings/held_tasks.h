#pragma once

#include <array>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"
#include "analyzer/fixes/recurring.h"
#include "analyzer/graph/critical_path.h"

namespace lapscope::analyzer {

// A task that a cause held up, and by how much that cause alone did.
struct HeldTask {
  std::uint32_t task = 0;
  std::int64_t ns = 0;
  std::int64_t since = 0;        // when it could have started but for what held it, in the window
  std::uint32_t first_wait = 0;  // in Held::waits
  std::uint32_t wait_count = 0;
};

struct Held {
  // What the host does once holds nothing up that its fix would mend: those of its calls and of the
  // time between them that count. Null where all do.
  const Recurring* recurring = nullptr;
  std::vector<HeldTask> tasks;  // in their order
  std::vector<Interval> waits;  // when each was held up, within the window
};

bool is_in_legacy_stream(const Graph& graph, std::uint32_t task);

// Whether what is behind another task in a stream is a copy to the device, behind a kernel: it is
// the one to issue elsewhere.
bool is_copy_behind_kernel(const Graph& graph, std::uint32_t before, std::uint32_t task);

// The tasks of a scope that a cause held up. Where the host did, each of the causes that took time
// of the issuing thread meanwhile holds the task up for as long as it did. Copies of pageable
// memory, and small ones in a row, are held up by their own length.
// Of causes that only count in loops `recurring` tells what does.
Held held_by(const Trace& trace, const Graph& graph, const GraphScope& scope, Cause cause,
             const Recurring& recurring);

// By task: whether it is one of a run of small copies. Shorter than the tasks where none is beyond.
std::vector<bool> in_small_copy_runs(const Trace& trace, const Graph& graph);

// By how much each cause held the tasks of a scope up, all together, in ns: 0 where it held none.
// `is_small`: in_small_copy_runs(), which is found once for all scopes.
using HeldTimes = std::array<std::int64_t, cause_count>;
HeldTimes held_times(const Trace& trace, const Graph& graph, const GraphScope& scope,
                     const Recurring& recurring, const std::vector<bool>& is_small);

// For how long at least one of the tasks was held up, in ns: at most the window.
std::int64_t held_time(const Held& held);

// The places behind held tasks, most waiting first; and the longest waits one by one.
std::vector<CallSite> places_of(const Sources& sources, Cause cause, const Held& held);
std::vector<Evidence> evidence_of(const Sources& sources, Cause cause, const Held& held,
                                  std::size_t most);

}  // namespace lapscope::analyzer
