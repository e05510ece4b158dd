#pragma once

#include "collector/schema/table.h"

// Tables for data that CUPTI reports only in callbacks, not in activity records. These data are the
// streams of some calls, and the nodes and edges of graphs.
namespace lapscope::schema {

struct HostFuncRow {
  std::int64_t correlationId{};
  std::int64_t globalTid{};
  std::optional<std::int64_t> contextId;
  std::optional<std::int64_t> streamId;
  std::optional<std::int64_t> graphNodeId;
  std::optional<std::int64_t> functionName;
};

template <>
inline constexpr auto describe<HostFuncRow> = table<HostFuncRow>(
    "LAPSCOPE_HOST_FUNCS",
    "One successful call that enqueued a host function in a stream (cudaLaunchHostFunc, "
    "cudaStreamAddCallback, cuLaunchHostFunc, cuStreamAddCallback). CUPTI does not report when the "
    "host function ran.",
    extra("correlationId", &HostFuncRow::correlationId, Unit::cupti_id, "the call"),
    extra("globalTid", &HostFuncRow::globalTid, Unit::id, "thread that called"),
    extra("contextId", &HostFuncRow::contextId, Unit::cupti_id,
          "current context of the thread; NULL if there is none. The stream may belong to another "
          "context"),
    extra("streamId", &HostFuncRow::streamId, Unit::cupti_id,
          "stream; NULL if CUPTI does not report it"),
    extra("graphNodeId", &HostFuncRow::graphNodeId, Unit::id,
          "in a stream capture: the graph node that the call made instead of enqueuing the "
          "function. NULL outside captures"),
    extra("functionName", &HostFuncRow::functionName, Unit::string_id,
          "name of the host function, or its library and offset; NULL if neither is known"));

struct GraphLaunchRow {
  std::int64_t correlationId{};
  std::int64_t globalTid{};
  std::optional<std::int64_t> contextId;
  std::optional<std::int64_t> streamId;
  std::optional<std::int64_t> graphNodeId;
  std::optional<std::int64_t> graphId;
};

template <>
inline constexpr auto describe<GraphLaunchRow> = table<GraphLaunchRow>(
    "LAPSCOPE_GRAPH_LAUNCHES",
    "One successful launch of a graph. The ops of the graph may run in other streams, which the "
    "driver made.",
    extra("correlationId", &GraphLaunchRow::correlationId, Unit::cupti_id,
          "the call; all ops of the graph have the same value"),
    extra("globalTid", &GraphLaunchRow::globalTid, Unit::id, "thread that called"),
    extra("contextId", &GraphLaunchRow::contextId, Unit::cupti_id,
          "current context of the thread; NULL if there is none. The stream may belong to another "
          "context"),
    extra("streamId", &GraphLaunchRow::streamId, Unit::cupti_id,
          "stream of the launch; NULL if CUPTI does not report it"),
    extra("graphNodeId", &GraphLaunchRow::graphNodeId, Unit::id,
          "in a stream capture: the graph node that the call made instead of a launch. NULL "
          "outside captures"),
    extra("graphId", &GraphLaunchRow::graphId, Unit::id,
          "executable graph; its ops have the same graphId. NULL if CUPTI does not report it"));

struct StreamMemoryOpRow {
  std::int64_t correlationId{};
  std::int64_t globalTid{};
  std::optional<std::int64_t> contextId;
  std::optional<std::int64_t> streamId;
  std::optional<std::int64_t> graphNodeId;
  std::int64_t operation{};
  std::optional<std::int64_t> address;
  std::optional<std::int64_t> operations;
};

template <>
inline constexpr auto describe<StreamMemoryOpRow> = table<StreamMemoryOpRow>(
    "LAPSCOPE_STREAM_MEM_OPS",
    "One successful call of cuStreamWaitValue32, cuStreamWriteValue32 or a similar function. The "
    "call makes a stream wait for a value in memory, or write a value to memory. The end of a wait "
    "is not known.",
    extra("correlationId", &StreamMemoryOpRow::correlationId, Unit::cupti_id, "the call"),
    extra("globalTid", &StreamMemoryOpRow::globalTid, Unit::id, "thread that called"),
    extra("contextId", &StreamMemoryOpRow::contextId, Unit::cupti_id,
          "current context of the thread; NULL if there is none. The stream may belong to another "
          "context"),
    extra("streamId", &StreamMemoryOpRow::streamId, Unit::cupti_id,
          "stream; NULL if CUPTI does not report it"),
    extra("graphNodeId", &StreamMemoryOpRow::graphNodeId, Unit::id,
          "in a stream capture: the graph node that the call made. NULL outside captures"),
    extra_enumerated("operation", &StreamMemoryOpRow::operation, "ENUM_LAPSCOPE_STREAM_MEM_OP",
                     "wait, write, or a batch of operations"),
    extra("address", &StreamMemoryOpRow::address, Unit::id,
          "address of the value; a wait can end when something writes to this address. NULL for a "
          "batch"),
    extra("operations", &StreamMemoryOpRow::operations, Unit::count,
          "number of operations of a batch; NULL for a single operation"));

struct LaunchAttributesRow {
  std::int64_t correlationId{};
  std::int64_t globalTid{};
  std::optional<std::int64_t> contextId;
  std::optional<std::int64_t> streamId;
  std::optional<std::int64_t> graphNodeId;
  std::optional<std::int64_t> programmaticSerialization;
  std::optional<std::int64_t> programmaticEvent;
  std::optional<std::int64_t> launchCompletionEvent;
  std::optional<std::int64_t> priority;
};

template <>
inline constexpr auto describe<LaunchAttributesRow> = table<LaunchAttributesRow>(
    "LAPSCOPE_LAUNCH_ATTRIBUTES",
    "One successful launch of a kernel (cudaLaunchKernelExC, cuLaunchKernelEx) with at least one "
    "of the attributes below. These attributes change the time at which the kernel or its "
    "successors may start. Launches with none of them have no row. For clusters and cooperative "
    "launches, see CUPTI_ACTIVITY_KIND_KERNEL.",
    extra("correlationId", &LaunchAttributesRow::correlationId, Unit::cupti_id, "the call"),
    extra("globalTid", &LaunchAttributesRow::globalTid, Unit::id, "thread that called"),
    extra("contextId", &LaunchAttributesRow::contextId, Unit::cupti_id,
          "current context of the thread; NULL if there is none. The stream may belong to another "
          "context"),
    extra("streamId", &LaunchAttributesRow::streamId, Unit::cupti_id,
          "stream; NULL if CUPTI does not report it"),
    extra("graphNodeId", &LaunchAttributesRow::graphNodeId, Unit::id,
          "in a stream capture: the graph node that the call made instead of a launch. NULL "
          "outside captures"),
    extra("programmaticSerialization", &LaunchAttributesRow::programmaticSerialization, Unit::flags,
          "1 if the kernel may start before the previous kernel in its stream has ended "
          "(programmatic dependent launch); NULL otherwise"),
    extra("programmaticEvent", &LaunchAttributesRow::programmaticEvent, Unit::flags,
          "1 if the launch records an event that the blocks of the kernel trigger; NULL otherwise"),
    extra("launchCompletionEvent", &LaunchAttributesRow::launchCompletionEvent, Unit::flags,
          "1 if the launch records an event when all blocks of the kernel have begun; NULL "
          "otherwise"),
    extra("priority", &LaunchAttributesRow::priority, Unit::none,
          "priority of this launch; a lower number means a higher priority. NULL if the launch has "
          "the priority of its stream"));

struct GraphNodeRow {
  std::int64_t start{};
  std::int64_t globalTid{};
  std::optional<std::int64_t> graphId;
  std::int64_t graphNodeId{};
  std::optional<std::int64_t> originalGraphNodeId;
  std::int64_t nodeType{};
};

template <>
inline constexpr auto describe<GraphNodeRow> = table<GraphNodeRow>(
    "LAPSCOPE_GRAPH_NODES",
    "One node of a graph, with the instant at which a call made the node. At this instant, the "
    "thread `globalTid` was in the call. The nodes of an executable graph are clones of the nodes "
    "of a graph.",
    extra("start", &GraphNodeRow::start, Unit::session_ns,
          "instant at which the node was made, host time"),
    extra("globalTid", &GraphNodeRow::globalTid, Unit::id, "thread"),
    extra("graphId", &GraphNodeRow::graphId, Unit::id,
          "graph; a later graph may have the same id. NULL if CUPTI does not report it"),
    extra("graphNodeId", &GraphNodeRow::graphNodeId, Unit::id,
          "node, as in the tables of ops; a later node may have the same id"),
    extra("originalGraphNodeId", &GraphNodeRow::originalGraphNodeId, Unit::id,
          "original of this node, if this node is a clone; NULL otherwise"),
    extra_enumerated("nodeType", &GraphNodeRow::nodeType, "ENUM_LAPSCOPE_GRAPH_NODE_TYPE",
                     "what the node does"));

struct GraphEdgeRow {
  std::int64_t start{};
  std::optional<std::int64_t> graphId;
  std::int64_t graphNodeId{};
  std::int64_t dependencyNodeId{};
  std::optional<std::int64_t> removed;
};

template <>
inline constexpr auto describe<GraphEdgeRow> = table<GraphEdgeRow>(
    "LAPSCOPE_GRAPH_EDGES",
    "One change of a graph: a dependency between two of its nodes was added or removed.",
    extra("start", &GraphEdgeRow::start, Unit::session_ns, "instant of the change, host time"),
    extra("graphId", &GraphEdgeRow::graphId, Unit::id, "graph; NULL if CUPTI does not report it"),
    extra("graphNodeId", &GraphEdgeRow::graphNodeId, Unit::id, "the node that waits"),
    extra("dependencyNodeId", &GraphEdgeRow::dependencyNodeId, Unit::id,
          "the node that the other node waits for"),
    extra("removed", &GraphEdgeRow::removed, Unit::flags,
          "1 if the dependency was removed; NULL if it was added"));

}  // namespace lapscope::schema
