#include "collector/inject/tracing.h"

#include "collector/decode/kinds.h"
#include "collector/inject/quiet_calls.h"

namespace lapscope::inject {
namespace {

void set_attribute(const cupti::CuptiApi& cupti, CUpti_ActivityAttribute attribute,
                   std::uint8_t value) {
  std::size_t size = sizeof value;
  cupti.activity_set_attribute(attribute, &size, &value);
}

}  // namespace

TracingStart start_tracing(const cupti::CuptiApi& cupti, callbacks::Listener& listener,
                           CUpti_BuffersCallbackRequestFunc buffer_requested,
                           CUpti_BuffersCallbackCompleteFunc buffer_completed) {
  TracingStart start;
  // The subscription also tells when another CUPTI client was here first, and a well-behaved one
  // that comes later sees that it is too late. It does not protect the activity records: a client
  // that does not subscribe (PyTorch's profiler, since August 2026) can still take them over, which
  // the Writer notices by buffers that are not ours.
  static CUpti_SubscriberHandle subscriber;
  CUptiResult result = cupti.subscribe(&subscriber, callbacks::Listener::callback(), &listener);
  if (result != CUPTI_SUCCESS) {
    const bool taken = result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED ||
                       result == CUPTI_ERROR_MAX_LIMIT_REACHED;
    start.problem = taken ? "another CUPTI client (a profiler inside the program, say) was there "
                            "first, and CUPTI serves one at a time"
                          : "cuptiSubscribe failed with " + cupti::result_name(cupti, result) +
                                " (" + cupti.path + ")";
    return start;
  }
  // System thread ids are what other tools and /proc show; the default is a truncated pthread_t.
  cupti.set_thread_id_type(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  // Our buffers are zeroed already; without this CUPTI zeroes each again, in the program's thread.
  set_attribute(cupti, CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, 1);
  result = cupti.activity_register_callbacks(buffer_requested, buffer_completed);
  if (result != CUPTI_SUCCESS) {
    start.problem =
        "cuptiActivityRegisterCallbacks failed with " + cupti::result_name(cupti, result);
    return start;
  }
  for (const decode::Kind& kind : decode::recorded_kinds()) {
    start.kinds.emplace_back(kind.id, cupti.activity_enable(kind.id));
  }
  start.callbacks = listener.enable(subscriber);
  disable_quiet_calls(cupti);
  if (cupti.activity_enable_cuda_event_device_timestamps) {
    cupti.activity_enable_cuda_event_device_timestamps(1);
  }
  return start;
}

}  // namespace lapscope::inject
