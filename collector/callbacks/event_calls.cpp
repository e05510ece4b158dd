#include "collector/callbacks/event_calls.h"

#include <dlfcn.h>

#include <array>

#include "collector/callbacks/arguments.h"

namespace lapscope::callbacks {
namespace {

using Action = EventFunction::Action;

constexpr EventFunction of_runtime(CUpti_CallbackId id, Action action, std::uint8_t event_word = 0,
                                   std::uint8_t stream_word = 0, bool per_thread = false) {
  return {CUPTI_CB_DOMAIN_RUNTIME_API, id, action, event_word, stream_word, per_thread};
}

constexpr EventFunction of_driver(CUpti_CallbackId id, Action action, std::uint8_t event_word = 0,
                                  std::uint8_t stream_word = 0, bool per_thread = false) {
  return {CUPTI_CB_DOMAIN_DRIVER_API, id, action, event_word, stream_word, per_thread};
}

// Callback ids that older CUPTI headers lack. The headers have `ctx_synchronize_v2` since CUDA
// 13.0, and the other ids since CUDA 12.3.
constexpr CUpti_CallbackId ctx_synchronize_v2 = 800;
constexpr CUpti_CallbackId runtime_begin_capture_to_graph = 452;
constexpr CUpti_CallbackId runtime_begin_capture_to_graph_ptsz = 453;
constexpr CUpti_CallbackId driver_begin_capture_to_graph = 720;
constexpr CUpti_CallbackId driver_begin_capture_to_graph_ptsz = 721;

// All functions that have event callbacks. The numbers after an action are
// EventFunction::event_word and EventFunction::stream_word. Position 0 is the first argument, and
// is the default of both. An action ignores the positions that it does not use.
constexpr EventFunction all_event_functions[] = {
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaThreadSynchronize_v3020, Action::wait_for_context),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020, Action::wait_for_context),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, Action::wait_for_context),
    of_driver(ctx_synchronize_v2, Action::wait_for_context),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020, Action::wait_for_stream),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_ptsz_v7000, Action::wait_for_stream,
               0, 0, true),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize, Action::wait_for_stream),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz, Action::wait_for_stream, 0, 0,
              true),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_v3020, Action::query_stream),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_ptsz_v7000, Action::query_stream, 0, 0,
               true),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamQuery, Action::query_stream),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamQuery_ptsz, Action::query_stream, 0, 0, true),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaEventSynchronize_v3020, Action::wait_for_event),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuEventSynchronize, Action::wait_for_event),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020, Action::query_event),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuEventQuery, Action::query_event),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaStreamWaitEvent_v3020, Action::stream_waits, 1, 0),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaStreamWaitEvent_ptsz_v7000, Action::stream_waits, 1, 0,
               true),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent, Action::stream_waits, 1, 0),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent_ptsz, Action::stream_waits, 1, 0, true),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020, Action::record, 0, 1),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_ptsz_v7000, Action::record, 0, 1, true),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecordWithFlags_v11010, Action::record, 0, 1),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecordWithFlags_ptsz_v11010, Action::record, 0, 1,
               true),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuEventRecord, Action::record, 0, 1),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuEventRecord_ptsz, Action::record, 0, 1, true),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuEventRecordWithFlags, Action::record, 0, 1),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuEventRecordWithFlags_ptsz, Action::record, 0, 1, true),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaEventCreate_v3020, Action::make),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaEventCreateWithFlags_v3020, Action::make),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaIpcOpenEventHandle_v4010, Action::make),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuEventCreate, Action::make),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuIpcOpenEventHandle, Action::make),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaStreamBeginCapture_v10000, Action::begin_capture),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaStreamBeginCapture_ptsz_v10000, Action::begin_capture),
    of_runtime(runtime_begin_capture_to_graph, Action::begin_capture),
    of_runtime(runtime_begin_capture_to_graph_ptsz, Action::begin_capture),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture, Action::begin_capture),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz, Action::begin_capture),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, Action::begin_capture),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz, Action::begin_capture),
    of_driver(driver_begin_capture_to_graph, Action::begin_capture),
    of_driver(driver_begin_capture_to_graph_ptsz, Action::begin_capture),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaStreamEndCapture_v10000, Action::end_capture),
    of_runtime(CUPTI_RUNTIME_TRACE_CBID_cudaStreamEndCapture_ptsz_v10000, Action::end_capture),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, Action::end_capture),
    of_driver(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz, Action::end_capture),
};

// For each callback id: the function's index in all_event_functions plus 1, or 0 if the function is
// not in that table.
using Places = std::array<std::uint8_t, 1024>;
constexpr Places places_of(CUpti_CallbackDomain domain) {
  static_assert(std::size(all_event_functions) < 255);
  Places places{};
  for (std::size_t i = 0; i < std::size(all_event_functions); ++i) {
    if (all_event_functions[i].domain == domain) {
      places[all_event_functions[i].id] = static_cast<std::uint8_t>(i + 1);
    }
  }
  return places;
}
constexpr Places runtime_places = places_of(CUPTI_CB_DOMAIN_RUNTIME_API);
constexpr Places driver_places = places_of(CUPTI_CB_DOMAIN_DRIVER_API);

// The value of cudaErrorNotReady and CUDA_ERROR_NOT_READY. A query returns it for unfinished work,
// so it is not an error.
constexpr int not_ready = 600;

bool has_told(Action action, int result) {
  const bool is_query = action == Action::query_stream || action == Action::query_event;
  return result == 0 || (is_query && result == not_ready);
}

// Returns whether the stream is being captured. Returns false if the status of the stream cannot be
// queried. A wrong result is harmless, because a call on a stream that is being captured either
// enqueues no work or fails.
bool is_captured(CUstream stream, bool per_thread_default, StreamIsCapturing ask) {
  if (!ask) return false;
  if (!stream) stream = per_thread_default ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return ask(stream, &status) == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE;
}

Wait::Kind kind_of(Action action) {
  switch (action) {
    case Action::wait_for_stream:
    case Action::query_stream:
      return Wait::Kind::stream;
    case Action::wait_for_event:
    case Action::query_event:
      return Wait::Kind::event;
    case Action::stream_waits:
      return Wait::Kind::stream_wait_event;
    default:
      return Wait::Kind::context;
  }
}

// Returns the id of the context that was passed to cuCtxSynchronize_v2. Returns nothing for other
// functions, and for a null context, which means the current context.
std::optional<std::uint32_t> named_context(const EventFunction& function,
                                           const CUpti_CallbackData& data,
                                           const cupti::CuptiApi& cupti) {
  const bool has_one =
      function.domain == CUPTI_CB_DOMAIN_DRIVER_API && function.id == ctx_synchronize_v2;
  if (!has_one || !data.functionParams || !cupti.get_context_id) return std::nullopt;
  const auto context = argument<CUcontext>(data, 0);
  std::uint32_t id = 0;
  if (!context || cupti.get_context_id(context, &id) != CUPTI_SUCCESS) return std::nullopt;
  return id;
}

}  // namespace

std::span<const EventFunction> event_functions() { return all_event_functions; }

const EventFunction* event_function(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  const Places& places = domain == CUPTI_CB_DOMAIN_RUNTIME_API ? runtime_places : driver_places;
  if (id >= places.size() || places[id] == 0) return nullptr;
  return &all_event_functions[places[id] - 1];
}

StreamIsCapturing stream_is_capturing_of_driver() {
  void* driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return driver ? reinterpret_cast<StreamIsCapturing>(::dlsym(driver, "cuStreamIsCapturing"))
                : nullptr;
}

std::optional<Event> event_of(const EventFunction& function, const CUpti_CallbackData& data,
                              const EventCall& call, const cupti::CuptiApi& cupti) {
  const int result =
      data.functionReturnValue ? *static_cast<const int*>(data.functionReturnValue) : -1;
  if (!has_told(function.action, result)) return std::nullopt;
  const bool is_of_context = function.action == Action::wait_for_context;
  if (!is_of_context && !data.functionParams) return std::nullopt;

  const auto event = [&] { return argument<std::uint64_t>(data, function.event_word); };
  const auto stream = [&] { return argument<CUstream>(data, function.stream_word); };
  const auto id_of_stream = [&] {
    return stream_id(stream(), function.per_thread_default, data.context, cupti);
  };
  const auto captured = [&] {
    return is_captured(stream(), function.per_thread_default, call.is_capturing);
  };
  switch (function.action) {
    case Action::make: {
      const auto* made = argument<const std::uint64_t*>(data, function.event_word);
      if (!made) return std::nullopt;
      return NewEvent{*made, data.contextUid};
    }
    case Action::record:
      return EventRecord{event(), data.correlationId, data.contextUid, id_of_stream(), captured()};
    case Action::begin_capture:
    case Action::end_capture:
      return std::nullopt;
    default:
      break;
  }
  Wait wait;
  wait.begin = call.begin;
  wait.end = call.end;
  wait.correlation = data.correlationId;
  wait.context = data.contextUid;
  wait.result = result;
  wait.kind = kind_of(function.action);
  switch (wait.kind) {
    case Wait::Kind::event:
      wait.event = event();
      break;
    case Wait::Kind::stream_wait_event:
      wait.event = event();
      wait.stream = id_of_stream();
      wait.is_captured = captured();
      break;
    case Wait::Kind::stream:
      wait.stream = id_of_stream();
      break;
    case Wait::Kind::context:
      if (const auto other = named_context(function, data, cupti)) wait.context = *other;
      break;
  }
  return wait;
}

}  // namespace lapscope::callbacks
