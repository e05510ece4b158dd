#include "collector/decode/kinds.h"

#include <cstddef>
#include <iterator>
#include <limits>

#include "collector/decode/kernel_names.h"
#include "collector/decode/recode.h"

namespace lapscope::decode {
namespace {

// The names of the sources, by callbacks::Source. `synchronization` and `cuda_events` have empty
// names, because they use the names of CUPTI's kinds (see kind_of()).
constexpr std::string_view source_names[] = {"HOST_FUNCS",
                                             "GRAPH_LAUNCHES",
                                             "STREAM_MEM_OPS",
                                             "GRAPH_NODES",
                                             "LAUNCH_ATTRIBUTES",
                                             "CAPTURE_RANGE",
                                             "",
                                             "",
                                             "CPU_TIMES",
                                             "HOST_SAMPLES",
                                             ""};
static_assert(std::size(source_names) == static_cast<std::size_t>(callbacks::Source::none) + 1);

std::optional<std::int64_t> optional_id(std::optional<std::uint64_t> id) {
  if (!id) return std::nullopt;
  return static_cast<std::int64_t>(*id);
}

template <class Row>
Row row_of(const callbacks::StreamCall& call, const DecodeContext& context) {
  Row row;
  row.correlationId = call.correlation;
  row.globalTid = schema::global_tid(context.pid, call.thread);
  row.contextId = id_or_null(call.context);
  row.streamId = call.stream;
  row.graphNodeId = optional_id(call.captured_node);
  return row;
}

bool write(const callbacks::HostFunction& host, DecodeContext& context) {
  if (!context.stretch.keeps_untimed()) return false;
  auto row = row_of<schema::HostFuncRow>(host.call, context);
  const std::string name = function_name(host.function);
  if (!name.empty()) row.functionName = context.trace.intern(name);
  context.trace.insert(row);
  return true;
}

bool write(const callbacks::GraphLaunch& launch, DecodeContext& context) {
  if (!context.stretch.keeps_untimed()) return false;
  auto row = row_of<schema::GraphLaunchRow>(launch.call, context);
  row.graphId = launch.graph;
  context.trace.insert(row);
  return true;
}

bool write(const callbacks::StreamMemoryOp& op, DecodeContext& context) {
  if (!context.stretch.keeps_untimed()) return false;
  auto row = row_of<schema::StreamMemoryOpRow>(op.call, context);
  // Operation has the same values as ENUM_LAPSCOPE_STREAM_MEM_OP.
  row.operation = static_cast<std::int64_t>(op.operation);
  const bool is_batch = op.operation == callbacks::StreamMemoryOp::Operation::batch;
  (is_batch ? row.operations : row.address) = static_cast<std::int64_t>(op.address);
  context.trace.insert(row);
  return true;
}

bool write(const callbacks::LaunchAttributes& launch, DecodeContext& context) {
  if (!context.stretch.keeps_untimed()) return false;
  const auto flag = [](bool set) { return set ? std::optional<std::int64_t>(1) : std::nullopt; };
  auto row = row_of<schema::LaunchAttributesRow>(launch.call, context);
  row.programmaticSerialization = flag(launch.programmatic_serialization);
  row.programmaticEvent = flag(launch.programmatic_event);
  row.launchCompletionEvent = flag(launch.launch_completion_event);
  row.priority = launch.priority;
  context.trace.insert(row);
  return true;
}

// Also writes nodes and edges from before the captured interval, because their graph may be
// launched later.
bool write(const callbacks::GraphNode& node, DecodeContext& context) {
  schema::GraphNodeRow row;
  row.start = context.time(node.time);
  if (context.stretch.has_ended_by(row.start)) return false;
  row.globalTid = schema::global_tid(context.pid, node.thread);
  row.graphId = node.graph;
  row.graphNodeId = static_cast<std::int64_t>(node.node);
  row.originalGraphNodeId = optional_id(node.original);
  row.nodeType = node.type;
  const auto made = context.made_nodes.find(node.thread);
  if (node.original && made != context.made_nodes.end() && made->second.node == node.node) {
    row.nodeType = made->second.type;  // the callback for a clone does not contain the type
    context.trace.remove<schema::GraphNodeRow>(made->second.rowid);
  }
  const std::int64_t rowid = context.trace.insert(row);
  context.made_nodes[node.thread] = {node.node, rowid, node.type};
  return true;
}

bool write(const callbacks::GraphEdge& edge, DecodeContext& context) {
  schema::GraphEdgeRow row;
  row.start = context.time(edge.time);
  if (context.stretch.has_ended_by(row.start)) return false;
  row.graphId = edge.graph;
  row.graphNodeId = static_cast<std::int64_t>(edge.node);
  row.dependencyNodeId = static_cast<std::int64_t>(edge.dependency);
  if (edge.removed) row.removed = 1;
  context.trace.insert(row);
  return true;
}

bool write(const callbacks::NewEvent& made, DecodeContext& context) {
  context.events.make(made.event, made.context);
  return true;
}

bool write(const callbacks::CpuTime& read, DecodeContext& context) {
  schema::CpuTimeRow row;
  row.start = context.time(read.time);
  if (!context.stretch.keeps(row.start, row.start)) return false;
  row.globalTid = schema::global_tid(context.pid, read.thread);
  row.onCpuNs = read.on_cpu;
  context.trace.insert(row);
  return true;
}

bool write(const callbacks::HostSample& sample, DecodeContext& context) {
  schema::HostSampleRow row;
  row.start = context.time(sample.time);
  if (!context.stretch.keeps(row.start, row.start)) return false;
  row.globalTid = schema::global_tid(context.pid, sample.thread);
  row.state = static_cast<std::int64_t>(sample.state);
  if (sample.system_call >= 0) row.systemCall = sample.system_call;
  if (sample.on_cpu >= 0) row.cpuNs = sample.on_cpu;
  if (sample.runnable >= 0) row.runnableNs = sample.runnable;
  if (sample.holder != 0) row.holderTid = schema::global_tid(context.pid, sample.holder);
  row.callchainId = context.chains.written(sample.chain);
  context.trace.append(row);
  return true;
}

bool write(const callbacks::Collections& seen, DecodeContext& context) {
  schema::CollectionsRow row;
  row.afterLook = context.time(seen.after);
  row.byLook = context.time(seen.by);
  if (!context.stretch.keeps(row.afterLook, row.byLook)) return false;
  row.generation = seen.generation;
  row.collections = seen.count;
  if (seen.end != 0) {
    row.start = context.time(seen.begin);
    row.end = context.time(seen.end);
  }
  context.trace.insert(row);
  return true;
}

// The Decoder itself handles these events, so there is nothing to write.
bool write(const callbacks::EnabledKind&, DecodeContext&) { return true; }
bool write(const callbacks::EarlyRangeEnd&, DecodeContext&) { return true; }

bool write(const callbacks::ProfilerSwitch& profiler, DecodeContext& context) {
  const std::int64_t time = context.time(profiler.time);
  if (profiler.on) {
    context.stretch.begin(time);
  } else {
    context.stretch.end(time, "cudaProfilerStop");
    // All later events happened after this call of cudaProfilerStop, because callbacks come in the
    // order of time.
    context.stretch.set_flush_interval(time, std::numeric_limits<std::int64_t>::max());
  }
  return true;
}

}  // namespace

std::string_view name_of(callbacks::Source source) {
  return source_names[static_cast<std::size_t>(source)];
}

std::optional<CUpti_ActivityKind> kind_of(callbacks::Source source) {
  if (source == callbacks::Source::synchronization) return CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  if (source == callbacks::Source::cuda_events) return CUPTI_ACTIVITY_KIND_CUDA_EVENT;
  return std::nullopt;
}

bool decode_event(const callbacks::Event& event, DecodeContext& context) {
  return std::visit([&context](const auto& what) { return write(what, context); }, event);
}

}  // namespace lapscope::decode
