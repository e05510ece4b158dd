#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/ops.h"

// What CUPTI's callbacks told the collector, and no activity record does.
namespace lapscope::analyzer {

// The stream of a call that enqueued a host function or launched a graph.
struct CallStream {
  std::uint32_t call = 0;           // in Trace::calls
  std::uint32_t stream = no_index;  // id in the process; no_index when not told
  bool is_captured = false;         // the stream was being captured: nothing was enqueued
};

// One edge of a graph, or its end.
struct NodeDependency {
  std::uint64_t node = 0;  // the node that waits: OpNode::node
  std::uint64_t on = 0;    // the node that it waits for
  std::int64_t time = 0;   // when it was made, in ns since the session start
  bool is_removed = false;
};

// What graphs are made of. Ids of nodes are of one process; traces that hold several processes tell
// of one at most.
struct Topology {
  std::vector<std::uint64_t> nodes;           // those whose dependencies are all told, by id
  std::vector<std::uint64_t> host_functions;  // those of them that call back to the host, by id
  std::vector<NodeDependency> dependencies;   // by node and time
};

// What a node depends on at a time: edges may be taken away and others made between launches.
std::vector<std::uint64_t> dependencies(const Topology& topology, std::uint64_t node,
                                        std::int64_t when);

// The node that an op is; 0 when not told.
std::uint64_t node_of_op(const Ops& ops, std::uint32_t op);

}  // namespace lapscope::analyzer
