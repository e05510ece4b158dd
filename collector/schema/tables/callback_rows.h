#pragma once

#include "collector/schema/table.h"

// Tables for data that CUPTI reports only in callbacks, not in activity records. These data are the
// streams of some calls, and the nodes and edges of graphs.
namespace lapscope::schema {

inline constexpr std::string_view current_context =
    "current context of the thread; NULL if there is none. The stream may belong to another "
    "context";

struct HostFuncRow {
  TABLE(HostFuncRow, "LAPSCOPE_HOST_FUNCS",
        "One successful call that enqueued a host function in a stream (cudaLaunchHostFunc, "
        "cudaStreamAddCallback, cuLaunchHostFunc, cuStreamAddCallback). CUPTI does not report when "
        "the host function ran.");
  COLUMN(Int, correlationId, cupti_id, "the call");
  COLUMN(Int, globalTid, id, "thread that called");
  COLUMN(MaybeInt, contextId, cupti_id, current_context);
  COLUMN(MaybeInt, streamId, cupti_id, "stream; NULL if CUPTI does not report it");
  COLUMN(MaybeInt, graphNodeId, id,
         "in a stream capture: the graph node that the call made instead of enqueuing the "
         "function. NULL outside captures");
  COLUMN(MaybeInt, functionName, string_id,
         "name of the host function, or its library and offset; NULL if neither is known");
};

struct GraphLaunchRow {
  TABLE(GraphLaunchRow, "LAPSCOPE_GRAPH_LAUNCHES",
        "One successful launch of a graph. The ops of the graph may run in other streams, which "
        "the driver made.");
  COLUMN(Int, correlationId, cupti_id, "the call; all ops of the graph have the same value");
  COLUMN(Int, globalTid, id, "thread that called");
  COLUMN(MaybeInt, contextId, cupti_id, current_context);
  COLUMN(MaybeInt, streamId, cupti_id, "stream of the launch; NULL if CUPTI does not report it");
  COLUMN(MaybeInt, graphNodeId, id,
         "in a stream capture: the graph node that the call made instead of a launch. NULL outside "
         "captures");
  COLUMN(MaybeInt, graphId, id,
         "executable graph; its ops have the same graphId. NULL if CUPTI does not report it");
};

struct StreamMemoryOpRow {
  TABLE(StreamMemoryOpRow, "LAPSCOPE_STREAM_MEM_OPS",
        "One successful call of cuStreamWaitValue32, cuStreamWriteValue32 or a similar function. "
        "The call makes a stream wait for a value in memory, or write a value to memory. The end "
        "of a wait is not known.");
  COLUMN(Int, correlationId, cupti_id, "the call");
  COLUMN(Int, globalTid, id, "thread that called");
  COLUMN(MaybeInt, contextId, cupti_id, current_context);
  COLUMN(MaybeInt, streamId, cupti_id, "stream; NULL if CUPTI does not report it");
  COLUMN(MaybeInt, graphNodeId, id,
         "in a stream capture: the graph node that the call made. NULL outside captures");
  CODE(Int, operation, "ENUM_LAPSCOPE_STREAM_MEM_OP", "wait, write, or a batch of operations");
  COLUMN(MaybeInt, address, id,
         "address of the value; a wait can end when something writes to this address. NULL for a "
         "batch");
  COLUMN(MaybeInt, operations, count,
         "number of operations of a batch; NULL for a single operation");
};

struct LaunchAttributesRow {
  TABLE(LaunchAttributesRow, "LAPSCOPE_LAUNCH_ATTRIBUTES",
        "One successful launch of a kernel (cudaLaunchKernelExC, cuLaunchKernelEx) with at least "
        "one of the attributes below. These attributes change the time at which the kernel or its "
        "successors may start. Launches with none of them have no row. For clusters and "
        "cooperative launches, see CUPTI_ACTIVITY_KIND_KERNEL.");
  COLUMN(Int, correlationId, cupti_id, "the call");
  COLUMN(Int, globalTid, id, "thread that called");
  COLUMN(MaybeInt, contextId, cupti_id, current_context);
  COLUMN(MaybeInt, streamId, cupti_id, "stream; NULL if CUPTI does not report it");
  COLUMN(MaybeInt, graphNodeId, id,
         "in a stream capture: the graph node that the call made instead of a launch. NULL outside "
         "captures");
  COLUMN(MaybeInt, programmaticSerialization, flags,
         "1 if the kernel may start before the previous kernel in its stream has ended "
         "(programmatic dependent launch); NULL otherwise");
  COLUMN(MaybeInt, programmaticEvent, flags,
         "1 if the launch records an event that the blocks of the kernel trigger; NULL otherwise");
  COLUMN(
      MaybeInt, launchCompletionEvent, flags,
      "1 if the launch records an event when all blocks of the kernel have begun; NULL otherwise");
  COLUMN(MaybeInt, priority, none,
         "priority of this launch; a lower number means a higher priority. NULL if the launch has "
         "the priority of its stream");
};

struct GraphNodeRow {
  TABLE(GraphNodeRow, "LAPSCOPE_GRAPH_NODES",
        "One node of a graph, with the instant at which a call made the node. At this instant, the "
        "thread `globalTid` was in the call. The nodes of an executable graph are clones of the "
        "nodes of a graph.");
  COLUMN(Int, start, session_ns, "instant at which the node was made, host time");
  COLUMN(Int, globalTid, id, "thread");
  COLUMN(MaybeInt, graphId, id,
         "graph; a later graph may have the same id. NULL if CUPTI does not report it");
  COLUMN(Int, graphNodeId, id, "node, as in the tables of ops; a later node may have the same id");
  COLUMN(MaybeInt, originalGraphNodeId, id,
         "original of this node, if this node is a clone; NULL otherwise");
  CODE(Int, nodeType, "ENUM_LAPSCOPE_GRAPH_NODE_TYPE", "what the node does");
};

struct GraphEdgeRow {
  TABLE(GraphEdgeRow, "LAPSCOPE_GRAPH_EDGES",
        "One change of a graph: a dependency between two of its nodes was added or removed.");
  COLUMN(Int, start, session_ns, "instant of the change, host time");
  COLUMN(MaybeInt, graphId, id, "graph; NULL if CUPTI does not report it");
  COLUMN(Int, graphNodeId, id, "the node that waits");
  COLUMN(Int, dependencyNodeId, id, "the node that the other node waits for");
  COLUMN(MaybeInt, removed, flags, "1 if the dependency was removed; NULL if it was added");
};

}  // namespace lapscope::schema
