#include "collector/inject/tracing.h"

#include <algorithm>
#include <array>

#include "collector/decode/kinds.h"
#include "collector/inject/api_calls.h"

namespace lapscope::inject {
namespace {

using request::Group;

void set_attribute(const cupti::CuptiApi& cupti, CUpti_ActivityAttribute attribute,
                   std::uint8_t value) {
  std::size_t size = sizeof value;
  cupti.activity_set_attribute(attribute, &size, &value);
}

// Enables the counters of unified memory for every device, except the counters that only show how
// the driver handles page faults. The counters must be configured before the kind is enabled.
CUptiResult enable_unified_memory(const cupti::CuptiApi& cupti) {
  if (!cupti.activity_configure_unified_memory_counter) return CUPTI_ERROR_NOT_SUPPORTED;
  std::array<CUpti_ActivityUnifiedMemoryCounterConfig, 5> wanted{};
  constexpr std::array kinds = {
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD,
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
  };
  static_assert(kinds.size() == wanted.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    wanted[i].scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES;
    wanted[i].kind = kinds[i];
    wanted[i].enable = 1;
  }
  const CUptiResult result = cupti.activity_configure_unified_memory_counter(
      wanted.data(), static_cast<std::uint32_t>(wanted.size()));
  if (result != CUPTI_SUCCESS) return result;
  return cupti.activity_enable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
}

// Subscribes to CUPTI. Returns a problem as one sentence, or "" if there is none.
//
// The subscription fails if another CUPTI client has already subscribed. A client that subscribes
// after lapscope gets an error from CUPTI. But a client that does not subscribe (PyTorch's
// profiler, since August 2026) can still take over the activity records. In this case, the Writer
// gets buffers that are not from its pool.
std::string subscribe(const cupti::CuptiApi& cupti, callbacks::Listener& listener,
                      CUpti_SubscriberHandle& subscriber) {
  const CUptiResult result =
      cupti.subscribe(&subscriber, callbacks::Listener::callback(), &listener);
  if (result == CUPTI_SUCCESS) return "";
  const bool taken = result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED ||
                     result == CUPTI_ERROR_MAX_LIMIT_REACHED;
  return taken ? "another CUPTI client (a profiler inside the program, say) was there first, and "
                 "CUPTI serves one at a time"
               : "cuptiSubscribe failed with " + cupti::result_name(cupti, result) + " (" +
                     cupti.path + ")";
}

std::vector<callbacks::Source> sources_of(const request::Request& request) {
  using callbacks::Source;
  std::vector<Source> sources;
  if (request.wants(Group::callbacks)) {
    sources = {Source::host_functions, Source::graph_launches, Source::stream_memory_ops,
               Source::graph_nodes, Source::cpu_times};
  }
  // Launches are the most frequent calls, and no conclusion depends on their attributes. So launch
  // attributes are recorded only if they are asked for.
  if (request.wants(Group::launch_attributes)) sources.push_back(Source::launch_attributes);
  if (request.capture.trigger == request::Capture::Trigger::profiler_api) {
    sources.push_back(Source::capture_range);
  }
  return sources;
}

// Returns whether the trace will have only a part of CUPTI's records. Returns false for an armed
// process: it enables records only during captures, so all records belong in a trace.
bool is_part_of_records(const request::Request& request) {
  return !request.capture.is_everything() && !request.capture.is_armed();
}

// Returns whether CUPTI must add times to the records of CUDA events. If the trace gets only a part
// of the records, the times show which events belong to this part.
bool needs_event_times(const request::Request& request) {
  return request.wants(Group::events) &&
         (request.wants(Group::event_times) || is_part_of_records(request));
}

// Returns the sources whose callbacks replace CUPTI's records of synchronization and events. Such
// records make every CUDA call longer (research/collector-cost.md). If times of events are needed,
// returns no sources: only CUPTI's records have the time at which the GPU reached an event.
std::vector<callbacks::Source> replaced_by_callbacks(const cupti::CuptiApi& cupti,
                                                     const request::Request& request) {
  using callbacks::Source;
  if (is_part_of_records(request) || needs_event_times(request)) return {};
  if (!cupti.enable_callback || !cupti.get_timestamp || !cupti.get_stream_id_ex) return {};
  std::vector<Source> sources;
  if (request.wants(Group::synchronization)) sources.push_back(Source::synchronization);
  if (request.wants(Group::events)) sources.push_back(Source::cuda_events);
  return sources;
}

// Enables callbacks that replace activity kinds, and adds CUPTI's results to `start`. If CUPTI
// refuses one of the callbacks, adds nothing, and the caller enables the activity kinds instead.
void listen_in_place_of_kinds(callbacks::Listener& listener, CUpti_SubscriberHandle subscriber,
                              const std::vector<callbacks::Source>& sources, TracingStart& start) {
  const auto answers = listener.enable(subscriber, sources);
  const bool refused = std::any_of(answers.begin(), answers.end(), [](const auto& answer) {
    return answer.second != CUPTI_SUCCESS;
  });
  if (!refused) start.callbacks.insert(start.callbacks.end(), answers.begin(), answers.end());
}

// Enables the recording of call stacks. If CUPTI refuses, the trace lacks only the call stacks.
void capture_stacks(callbacks::Listener& listener, CUpti_SubscriberHandle subscriber,
                    const request::Request& request, stacks::CallStacks& stacks,
                    TracingStart& start) {
  const CUptiResult result = listener.enable_stacks(
      subscriber, stacks, request.wanted_stacks() == request::Stacks::all,
      [&request](CUpti_CallbackDomain domain, CUpti_CallbackId, std::string_view name) {
        return is_recorded(request, domain, name);
      });
  if (result != CUPTI_SUCCESS) return;
  start.stacks = &stacks;
  start.stack_calls = listener.stack_calls();
}

bool is_replaced(const TracingStart& start, CUpti_ActivityKind kind) {
  return std::any_of(start.callbacks.begin(), start.callbacks.end(),
                     [kind](const auto& answer) { return decode::kind_of(answer.first) == kind; });
}

}  // namespace

TracingStart prepare_tracing(const cupti::CuptiApi& cupti, const request::Request& request,
                             callbacks::Listener& listener,
                             CUpti_BuffersCallbackRequestFunc buffer_requested,
                             CUpti_BuffersCallbackCompleteFunc buffer_completed) {
  TracingStart start;
  if (!request.yields_to_app) start.problem = subscribe(cupti, listener, start.subscriber);
  if (!start.problem.empty()) return start;
  // Use system thread ids, as other tools and /proc do. CUPTI's default is a truncated pthread_t.
  cupti.set_thread_id_type(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  // Tells CUPTI that the buffers are already zeroed. By default, CUPTI zeroes each buffer in the
  // program's thread.
  set_attribute(cupti, CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, 1);
  const CUptiResult result = cupti.activity_register_callbacks(buffer_requested, buffer_completed);
  if (result != CUPTI_SUCCESS) {
    start.problem =
        "cuptiActivityRegisterCallbacks failed with " + cupti::result_name(cupti, result);
    return start;
  }
  for (const decode::Kind& kind : decode::recorded_kinds()) {
    if (!request.wants(kind.group) || !decode::is_of_target(kind.id)) continue;
    start.kinds.emplace_back(kind.id, cupti.activity_enable(kind.id));
  }
  return start;
}

void start_tracing(const cupti::CuptiApi& cupti, const request::Request& request,
                   callbacks::Listener& listener, stacks::CallStacks* stacks, TracingStart& start) {
  const bool subscribes = !request.yields_to_app;
  // NVTX is enabled first, so that the ranges that are open now are exactly the ranges that began
  // before the recording.
  if (request.wants(Group::nvtx)) {
    start.kinds.emplace_back(CUPTI_ACTIVITY_KIND_MARKER,
                             cupti.activity_enable(CUPTI_ACTIVITY_KIND_MARKER));
  }
  if (subscribes) {
    const auto answers = listener.enable(start.subscriber, sources_of(request));
    start.callbacks.insert(start.callbacks.end(), answers.begin(), answers.end());
    listen_in_place_of_kinds(listener, start.subscriber, replaced_by_callbacks(cupti, request),
                             start);
    const bool wants_stacks = request.wanted_stacks() != request::Stacks::off;
    if (wants_stacks && stacks) capture_stacks(listener, start.subscriber, request, *stacks, start);
  }
  for (const decode::Kind& kind : decode::recorded_kinds()) {
    if (!request.wants(kind.group) || decode::is_of_target(kind.id)) continue;
    if (kind.id == CUPTI_ACTIVITY_KIND_MARKER) continue;
    if (is_of_calls(kind.id) || is_replaced(start, kind.id)) continue;
    if (kind.id == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) {
      // This kind cannot be enabled during cuInit: CUPTI 130001 returns CUPTI_ERROR_NOT_READY.
      const CUptiResult early = subscribes ? listener.enable_with_context(start.subscriber, kind.id,
                                                                          enable_unified_memory)
                                           : CUPTI_ERROR_NOT_SUPPORTED;
      start.kinds.emplace_back(kind.id, early);
    } else {
      start.kinds.emplace_back(kind.id, cupti.activity_enable(kind.id));
    }
  }
  for (const auto& answer : record_calls(cupti, request)) start.kinds.push_back(answer);
  if (needs_event_times(request) && cupti.activity_enable_cuda_event_device_timestamps) {
    cupti.activity_enable_cuda_event_device_timestamps(1);
  }
  if (request.wants(Group::latency) && cupti.activity_enable_latency_timestamps) {
    cupti.activity_enable_latency_timestamps(1);
  }
}

TracingStart wanted_part(const cupti::CuptiApi& cupti, const request::Request& request,
                         const TracingStart& start) {
  TracingStart part = start;
  std::erase_if(part.kinds, [&request](const auto& answer) {
    const CUpti_ActivityKind id = answer.first;
    const auto kind = std::ranges::find(decode::recorded_kinds(), id, &decode::Kind::id);
    return !is_of_calls(id) && !request.wants(kind->group);
  });
  std::vector<callbacks::Source> wanted = sources_of(request);
  const auto in_place_of_kinds = replaced_by_callbacks(cupti, request);
  wanted.insert(wanted.end(), in_place_of_kinds.begin(), in_place_of_kinds.end());
  std::erase_if(part.callbacks, [&wanted](const auto& answer) {
    return std::ranges::find(wanted, answer.first) == wanted.end();
  });
  if (request.wanted_stacks() == request::Stacks::off) {
    part.stacks = nullptr;
    part.stack_calls = nullptr;
  }
  return part;
}

void switch_tracing(const cupti::CuptiApi& cupti, callbacks::Listener& listener,
                    const TracingStart& start, const TracingStart& part) {
  std::vector<callbacks::Source> sources;
  for (const auto& answer : part.callbacks) sources.push_back(answer.first);
  // NVTX is enabled first, as in start_tracing(). Otherwise, a range that opens while the callbacks
  // are switched would be lost.
  const std::pair nvtx(CUPTI_ACTIVITY_KIND_MARKER, CUPTI_SUCCESS);
  if (std::ranges::find(part.kinds, nvtx) != part.kinds.end()) cupti.activity_enable(nvtx.first);
  const auto switch_kinds = [&](bool on) {
    for (const auto& answer : start.kinds) {
      if (answer.second != CUPTI_SUCCESS || decode::is_of_target(answer.first)) continue;
      if (on && answer == nvtx) continue;
      if ((std::ranges::find(part.kinds, answer) != part.kinds.end()) != on) continue;
      on ? cupti.activity_enable(answer.first) : cupti.activity_disable(answer.first);
    }
  };
  // The record of a waiting call needs an event of the call's callback. So calls are recorded only
  // while their callbacks are enabled.
  switch_kinds(false);
  listener.switch_to(sources, part.stacks != nullptr);
  switch_kinds(true);
}

}  // namespace lapscope::inject
