#include "collector/callbacks/stream_calls.h"

#include <cuda.h>
#include <driver_types.h>
#include <unistd.h>

#include "collector/callbacks/arguments.h"
#include "collector/process/thread_number.h"

namespace lapscope::callbacks {
namespace {

using Operation = StreamMemoryOp::Operation;

constexpr TracedFunction runtime(CUpti_CallbackId id, Source source, std::uint8_t stream_word,
                                 std::uint8_t subject_word, bool per_thread) {
  return {CUPTI_CB_DOMAIN_RUNTIME_API, id, source, stream_word, subject_word, per_thread};
}

constexpr TracedFunction driver(CUpti_CallbackId id, Source source, std::uint8_t stream_word,
                                std::uint8_t subject_word, bool per_thread) {
  return {CUPTI_CB_DOMAIN_DRIVER_API, id, source, stream_word, subject_word, per_thread};
}

constexpr TracedFunction memory(CUpti_CallbackId id, Operation operation, bool per_thread) {
  return {CUPTI_CB_DOMAIN_DRIVER_API, id, Source::stream_memory_ops, 0, 1, per_thread, operation};
}

// Returns the entry of a launch function. The first argument of the function is a configuration,
// which contains the stream.
constexpr TracedFunction launch(CUpti_CallbackDomain domain, CUpti_CallbackId id, bool per_thread) {
  return {domain, id, Source::launch_attributes, 0, 0, per_thread};
}

constexpr Source host = Source::host_functions;
constexpr Source graph = Source::graph_launches;

constexpr TracedFunction functions[] = {
    runtime(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000, host, 0, 1, false),
    runtime(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_ptsz_v10000, host, 0, 1, true),
    runtime(CUPTI_RUNTIME_TRACE_CBID_cudaStreamAddCallback_v5000, host, 0, 1, false),
    runtime(CUPTI_RUNTIME_TRACE_CBID_cudaStreamAddCallback_ptsz_v7000, host, 0, 1, true),
    driver(CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc, host, 0, 1, false),
    driver(CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc_ptsz, host, 0, 1, true),
    driver(CUPTI_DRIVER_TRACE_CBID_cuStreamAddCallback, host, 0, 1, false),
    driver(CUPTI_DRIVER_TRACE_CBID_cuStreamAddCallback_ptsz, host, 0, 1, true),
    runtime(CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000, graph, 1, 0, false),
    runtime(CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_ptsz_v10000, graph, 1, 0, true),
    driver(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, graph, 1, 0, false),
    driver(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz, graph, 1, 0, true),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitValue32, Operation::wait, false),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitValue32_ptsz, Operation::wait, true),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitValue64, Operation::wait, false),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitValue64_ptsz, Operation::wait, true),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWriteValue32, Operation::write, false),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWriteValue32_ptsz, Operation::write, true),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWriteValue64, Operation::write, false),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWriteValue64_ptsz, Operation::write, true),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamBatchMemOp, Operation::batch, false),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamBatchMemOp_ptsz, Operation::batch, true),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitValue32_v2, Operation::wait, false),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitValue32_v2_ptsz, Operation::wait, true),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitValue64_v2, Operation::wait, false),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitValue64_v2_ptsz, Operation::wait, true),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWriteValue32_v2, Operation::write, false),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWriteValue32_v2_ptsz, Operation::write, true),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWriteValue64_v2, Operation::write, false),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamWriteValue64_v2_ptsz, Operation::write, true),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamBatchMemOp_v2, Operation::batch, false),
    memory(CUPTI_DRIVER_TRACE_CBID_cuStreamBatchMemOp_v2_ptsz, Operation::batch, true),
    launch(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060, false),
    launch(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_ptsz_v11060,
           true),
    launch(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, false),
    launch(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz, true),
};

// Launch attributes have the same layout and the same ids in the runtime and in the driver.
static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(cudaLaunchAttribute, val) == offsetof(CUlaunchAttribute, value));
static_assert(static_cast<int>(cudaLaunchAttributeProgrammaticStreamSerialization) ==
              static_cast<int>(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION));

// The id of the attribute LAUNCH_COMPLETION_EVENT. It exists since CUDA 12.3; earlier headers do
// not name it.
constexpr int launch_completion_event = 12;

bool read_attributes(const CUlaunchAttribute* attributes, unsigned count,
                     LaunchAttributes& launch) {
  bool tells = false;
  for (unsigned i = 0; attributes && i < count; ++i) {
    const CUlaunchAttributeValue& value = attributes[i].value;
    switch (static_cast<int>(attributes[i].id)) {
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        launch.programmatic_serialization = value.programmaticStreamSerializationAllowed != 0;
        tells |= launch.programmatic_serialization;
        break;
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
        launch.programmatic_event = true;
        tells = true;
        break;
      case launch_completion_event:
        launch.launch_completion_event = true;
        tells = true;
        break;
      case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        launch.priority = value.priority;
        tells = true;
        break;
      default:
        break;
    }
  }
  return tells;
}

template <class Config>
std::optional<CUstream> read(const Config& config, CUstream stream, LaunchAttributes& launch) {
  const auto* attributes = reinterpret_cast<const CUlaunchAttribute*>(config.attrs);
  if (!read_attributes(attributes, config.numAttrs, launch)) return std::nullopt;
  return stream;
}

// Reads the configuration that was passed to a launch function. It is a cudaLaunchConfig_t of the
// runtime, or a CUlaunchConfig of the driver. Sets the attributes of `launch` and returns the
// stream. Returns nothing if the launch has none of the attributes that LaunchAttributes stores. An
// attribute that forbids programmatic serialization does not count.
std::optional<CUstream> read_launch(CUpti_CallbackDomain domain, const void* configuration,
                                    LaunchAttributes& launch) {
  if (!configuration) return std::nullopt;
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    const auto& config = *static_cast<const cudaLaunchConfig_t*>(configuration);
    return read(config, config.stream, launch);
  }
  const auto& config = *static_cast<const CUlaunchConfig*>(configuration);
  return read(config, config.hStream, launch);
}

}  // namespace

std::span<const TracedFunction> traced_functions() { return functions; }

std::optional<Event> event_of(const TracedFunction& function, const CUpti_CallbackData& call,
                              std::optional<std::uint64_t> captured_node,
                              const cupti::CuptiApi& cupti) {
  StreamCall stream_call;
  stream_call.correlation = call.correlationId;
  stream_call.thread = process::thread_id_before_fork();
  stream_call.context = call.contextUid;
  stream_call.captured_node = captured_node;
  if (function.source == Source::launch_attributes) {
    LaunchAttributes launch;
    const auto stream =
        read_launch(function.domain, argument<const void*>(call, function.subject_word), launch);
    if (!stream) return std::nullopt;
    stream_call.stream = stream_id(*stream, function.per_thread_default, call.context, cupti);
    launch.call = stream_call;
    return launch;
  }
  stream_call.stream = stream_id(argument<CUstream>(call, function.stream_word),
                                 function.per_thread_default, call.context, cupti);
  if (function.source == Source::host_functions) {
    return HostFunction{stream_call, argument<const void*>(call, function.subject_word)};
  }
  if (function.source == Source::graph_launches) {
    GraphLaunch launch{stream_call, std::nullopt};
    std::uint32_t id = 0;
    const auto graph_exec = argument<CUgraphExec>(call, function.subject_word);
    if (cupti.get_graph_exec_id && cupti.get_graph_exec_id(graph_exec, &id) == CUPTI_SUCCESS) {
      launch.graph = id;
    }
    return launch;
  }
  // For a batch of memory operations, the subject is the number of operations. This argument has 32
  // bits.
  const std::uint64_t subject =
      function.operation == Operation::batch
          ? std::uint64_t{argument<std::uint32_t>(call, function.subject_word)}
          : argument<std::uint64_t>(call, function.subject_word);
  return StreamMemoryOp{stream_call, function.operation, subject};
}

}  // namespace lapscope::callbacks
