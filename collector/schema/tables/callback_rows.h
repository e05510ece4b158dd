#pragma once

#include "collector/schema/table.h"

// What CUPTI's callbacks report and its activity records do not: the streams of some calls, and
// what graphs are made of.
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
    "cudaStreamAddCallback, cuLaunchHostFunc, cuStreamAddCallback). When the function itself ran "
    "is not "
    "reported. A call that failed has no row.",
    extra("correlationId", &HostFuncRow::correlationId, Unit::cupti_id, "the call"),
    extra("globalTid", &HostFuncRow::globalTid, Unit::id, "thread that called"),
    extra("contextId", &HostFuncRow::contextId, Unit::cupti_id,
          "context current to the thread, not necessarily the stream's; NULL when none"),
    extra("streamId", &HostFuncRow::streamId, Unit::cupti_id,
          "stream; NULL when CUPTI does not report it"),
    extra("graphNodeId", &HostFuncRow::graphNodeId, Unit::id,
          "the node that the call made, the stream being captured: then nothing was enqueued; NULL "
          "otherwise"),
    extra("functionName", &HostFuncRow::functionName, Unit::string_id,
          "host function: its name, or library and offset; NULL when neither is known"));

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
    "One successful launch of a graph. Its ops can run in other streams, of the driver's own.",
    extra("correlationId", &GraphLaunchRow::correlationId, Unit::cupti_id,
          "the call, shared with all the graph's ops"),
    extra("globalTid", &GraphLaunchRow::globalTid, Unit::id, "thread that called"),
    extra("contextId", &GraphLaunchRow::contextId, Unit::cupti_id,
          "context current to the thread, not necessarily the stream's; NULL when none"),
    extra("streamId", &GraphLaunchRow::streamId, Unit::cupti_id,
          "stream that the graph was launched in; NULL when CUPTI does not report it"),
    extra("graphNodeId", &GraphLaunchRow::graphNodeId, Unit::id,
          "the node that the call made, the stream being captured: then nothing was launched; NULL "
          "otherwise"),
    extra("graphId", &GraphLaunchRow::graphId, Unit::id,
          "executable graph, as graphId of its ops; NULL when CUPTI does not report it"));

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
    "One successful call that makes a stream wait for a word of memory or write one "
    "(cuStreamWaitValue32 "
    "and its like). When the wait ended is unknown.",
    extra("correlationId", &StreamMemoryOpRow::correlationId, Unit::cupti_id, "the call"),
    extra("globalTid", &StreamMemoryOpRow::globalTid, Unit::id, "thread that called"),
    extra("contextId", &StreamMemoryOpRow::contextId, Unit::cupti_id,
          "context current to the thread, not necessarily the stream's; NULL when none"),
    extra("streamId", &StreamMemoryOpRow::streamId, Unit::cupti_id,
          "stream; NULL when CUPTI does not report it"),
    extra("graphNodeId", &StreamMemoryOpRow::graphNodeId, Unit::id,
          "the node that the call made, the stream being captured; NULL otherwise"),
    extra_enumerated("operation", &StreamMemoryOpRow::operation, "ENUM_LAPSCOPE_STREAM_MEM_OP",
                     "wait, write, or a batch of both"),
    extra("address", &StreamMemoryOpRow::address, Unit::id,
          "of the word; a wait ends with a write to its address. NULL for a batch"),
    extra("operations", &StreamMemoryOpRow::operations, Unit::count, "of a batch; NULL otherwise"));

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
    "One successful launch of a kernel with attributes that change when it or its successors may "
    "start (cudaLaunchKernelExC, cuLaunchKernelEx). A launch without such an attribute has no row; "
    "clusters and cooperative launches are in the kernel's own row.",
    extra("correlationId", &LaunchAttributesRow::correlationId, Unit::cupti_id, "the call"),
    extra("globalTid", &LaunchAttributesRow::globalTid, Unit::id, "thread that called"),
    extra("contextId", &LaunchAttributesRow::contextId, Unit::cupti_id,
          "context current to the thread, not necessarily the stream's; NULL when none"),
    extra("streamId", &LaunchAttributesRow::streamId, Unit::cupti_id,
          "stream; NULL when CUPTI does not report it"),
    extra("graphNodeId", &LaunchAttributesRow::graphNodeId, Unit::id,
          "the node that the call made, the stream being captured: then nothing was launched; NULL "
          "otherwise"),
    extra("programmaticSerialization", &LaunchAttributesRow::programmaticSerialization, Unit::flags,
          "1: the kernel may start before the one ahead of it in its stream has ended "
          "(programmatic dependent launch); NULL otherwise"),
    extra("programmaticEvent", &LaunchAttributesRow::programmaticEvent, Unit::flags,
          "1: the launch records an event that its blocks trigger; NULL otherwise"),
    extra("launchCompletionEvent", &LaunchAttributesRow::launchCompletionEvent, Unit::flags,
          "1: the launch records an event when all its blocks have begun; NULL otherwise"),
    extra("priority", &LaunchAttributesRow::priority, Unit::none,
          "of this launch alone, lower numbers first; NULL when it has its stream's"));

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
    "One node of a graph, when it was made. Executable graphs have clones of a graph's nodes. The "
    "call that made a node is the one of its thread that lasted then.",
    extra("start", &GraphNodeRow::start, Unit::session_ns, "instant, host time"),
    extra("globalTid", &GraphNodeRow::globalTid, Unit::id, "thread"),
    extra("graphId", &GraphNodeRow::graphId, Unit::id,
          "graph; ids are used again. NULL when CUPTI does not report it"),
    extra("graphNodeId", &GraphNodeRow::graphNodeId, Unit::id,
          "node, as in the tables of ops; ids are used again"),
    extra("originalGraphNodeId", &GraphNodeRow::originalGraphNodeId, Unit::id,
          "the node that it is a clone of; NULL when it is none"),
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
    "LAPSCOPE_GRAPH_EDGES", "One dependency between two nodes of a graph, when it was made.",
    extra("start", &GraphEdgeRow::start, Unit::session_ns, "instant, host time"),
    extra("graphId", &GraphEdgeRow::graphId, Unit::id, "graph; NULL when CUPTI does not report it"),
    extra("graphNodeId", &GraphEdgeRow::graphNodeId, Unit::id, "the node that waits"),
    extra("dependencyNodeId", &GraphEdgeRow::dependencyNodeId, Unit::id,
          "the node that it waits for"),
    extra("removed", &GraphEdgeRow::removed, Unit::flags,
          "1 when the dependency was taken away; NULL otherwise"));

}  // namespace lapscope::schema
