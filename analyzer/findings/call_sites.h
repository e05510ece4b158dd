#pragma once

#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_names.h"
#include "analyzer/findings/scoped.h"

namespace lapscope::analyzer {

// A task that a cause held up, and by how much that cause alone did.
struct HeldTask {
  std::uint32_t task = 0;
  std::int64_t ns = 0;
};

// A copy from or to pageable host memory.
bool is_pageable(const Trace& trace, const Task& task);

bool is_in_legacy_stream(const Graph& graph, std::uint32_t task);

// The tasks of a scope that a cause held up, in their order. Copies of pageable memory are held up
// by their own length.
std::vector<HeldTask> held_by(const Trace& trace, const Graph& graph, const Scoped& scope,
                              Cause cause);

// The places behind held tasks, most waiting first; and the longest waits one by one.
std::vector<CallSite> call_sites(const Sources& sources, Cause cause,
                                 const std::vector<HeldTask>& held);
std::vector<Evidence> evidence_of(const Sources& sources, Cause cause, std::vector<HeldTask> held,
                                  std::size_t most);

}  // namespace lapscope::analyzer
