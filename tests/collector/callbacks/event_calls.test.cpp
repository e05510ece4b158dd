#include "collector/callbacks/event_calls.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "collector/schema/wait_functions.h"
#include "tests/catch.h"
#include "tests/collector/callbacks/support.h"
#include "tests/collector/support/real_cupti.h"

namespace lapscope::callbacks {
namespace {

using test::CallData;
using test::handle;

constexpr auto of_runtime = CUPTI_CB_DOMAIN_RUNTIME_API;
constexpr auto of_driver = CUPTI_CB_DOMAIN_DRIVER_API;

// A function and its arguments, as CUPTI passes them to callbacks.
#define RUNTIME(function, ...) \
  of_runtime, CUPTI_RUNTIME_TRACE_CBID_##function, function##_params { __VA_ARGS__ }
#define DRIVER(function, ...) \
  of_driver, CUPTI_DRIVER_TRACE_CBID_##function, function##_params { __VA_ARGS__ }

constexpr EventCall call_times{100, 250, nullptr};

template <class Params>
std::optional<Event> told(CUpti_CallbackDomain domain, CUpti_CallbackId id, const Params& params,
                          int result = 0, const EventCall& of_call = call_times) {
  static const cupti::CuptiApi cupti = test::numbering_cupti();
  CallData call(&params, 42, result);
  call.exit();
  const EventFunction* function = event_function(domain, id);
  REQUIRE(function);
  return event_of(*function, call.data(), of_call, cupti);
}

template <class Params>
Wait wait_of(CUpti_CallbackDomain domain, CUpti_CallbackId id, const Params& params) {
  const auto event = told(domain, id, params);
  REQUIRE((event && std::holds_alternative<Wait>(*event)));
  return std::get<Wait>(*event);
}

template <class Params>
EventRecord record_of(CUpti_CallbackDomain domain, CUpti_CallbackId id, const Params& params) {
  const auto event = told(domain, id, params);
  REQUIRE((event && std::holds_alternative<EventRecord>(*event)));
  return std::get<EventRecord>(*event);
}

constexpr std::uint32_t own_stream = test::thread_stream_offset;

TEST_CASE("a record tells its event and stream, of every variant", "[callbacks]") {
  const auto event = handle<cudaEvent_t>(21);
  const auto stream = handle<cudaStream_t>(13);
  const auto same = [](const EventRecord& record, std::uint32_t stream_id) {
    CHECK(record.event == 21);
    CHECK(record.stream == stream_id);
    CHECK(record.correlation == 42);
    CHECK(record.context == 1);
    CHECK_FALSE(record.is_captured);
  };
  same(record_of(RUNTIME(cudaEventRecord_v3020, event, stream)), 13);
  same(record_of(RUNTIME(cudaEventRecord_ptsz_v7000, event, stream)), 13 + own_stream);
  same(record_of(RUNTIME(cudaEventRecordWithFlags_v11010, event, stream, 0)), 13);
  same(record_of(RUNTIME(cudaEventRecordWithFlags_ptsz_v11010, event, stream, 0)), 13 + own_stream);
  same(record_of(DRIVER(cuEventRecord, event, stream)), 13);
  same(record_of(DRIVER(cuEventRecord_ptsz, event, stream)), 13 + own_stream);
  same(record_of(DRIVER(cuEventRecordWithFlags, event, stream, 0)), 13);
  same(record_of(DRIVER(cuEventRecordWithFlags_ptsz, event, stream, 0)), 13 + own_stream);
}

TEST_CASE("a stream that waits and the event are told, of every variant", "[callbacks]") {
  const auto event = handle<cudaEvent_t>(21);
  const auto stream = handle<cudaStream_t>(13);
  const auto same = [](const Wait& wait, std::uint32_t stream_id) {
    CHECK(wait.kind == Wait::Kind::stream_wait_event);
    CHECK(wait.event == 21);
    CHECK(wait.stream == stream_id);
    CHECK(wait.correlation == 42);
    CHECK(wait.begin == 100);
    CHECK(wait.end == 250);
  };
  same(wait_of(RUNTIME(cudaStreamWaitEvent_v3020, stream, event, 0)), 13);
  same(wait_of(RUNTIME(cudaStreamWaitEvent_ptsz_v7000, stream, event, 0)), 13 + own_stream);
  same(wait_of(DRIVER(cuStreamWaitEvent, stream, event, 0)), 13);
  same(wait_of(DRIVER(cuStreamWaitEvent_ptsz, stream, event, 0)), 13 + own_stream);
}

TEST_CASE("the stream or event that the host waits for is told, of every variant", "[callbacks]") {
  const auto event = handle<cudaEvent_t>(21);
  const auto stream = handle<cudaStream_t>(13);
  const auto of_event = [](const Wait& wait) {
    CHECK(wait.kind == Wait::Kind::event);
    CHECK(wait.event == 21);
    CHECK_FALSE(wait.stream.has_value());
  };
  const auto of_stream = [](const Wait& wait, std::uint32_t stream_id) {
    CHECK(wait.kind == Wait::Kind::stream);
    CHECK(wait.event == 0);
    CHECK(wait.stream == stream_id);
  };
  of_event(wait_of(RUNTIME(cudaEventSynchronize_v3020, event)));
  of_event(wait_of(RUNTIME(cudaEventQuery_v3020, event)));
  of_event(wait_of(DRIVER(cuEventSynchronize, event)));
  of_event(wait_of(DRIVER(cuEventQuery, event)));
  of_stream(wait_of(RUNTIME(cudaStreamSynchronize_v3020, stream)), 13);
  of_stream(wait_of(RUNTIME(cudaStreamSynchronize_ptsz_v7000, stream)), 13 + own_stream);
  of_stream(wait_of(RUNTIME(cudaStreamQuery_v3020, stream)), 13);
  of_stream(wait_of(RUNTIME(cudaStreamQuery_ptsz_v7000, stream)), 13 + own_stream);
  of_stream(wait_of(DRIVER(cuStreamSynchronize, stream)), 13);
  of_stream(wait_of(DRIVER(cuStreamSynchronize_ptsz, stream)), 13 + own_stream);
  of_stream(wait_of(DRIVER(cuStreamQuery, stream)), 13);
  of_stream(wait_of(DRIVER(cuStreamQuery_ptsz, stream)), 13 + own_stream);
}

TEST_CASE("a wait for a context needs no arguments", "[callbacks]") {
  const cupti::CuptiApi cupti = test::numbering_cupti();
  for (const auto& [domain, id] : std::map<CUpti_CallbackDomain, CUpti_CallbackId>{
           {of_runtime, CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020},
           {of_driver, CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize}}) {
    CallData call(nullptr, 42);
    call.exit();
    const auto event = event_of(*event_function(domain, id), call.data(), call_times, cupti);
    REQUIRE(event);
    CHECK(std::get<Wait>(*event).kind == Wait::Kind::context);
    CHECK(std::get<Wait>(*event).context == 1);
  }
}

// CUDA has this function since 13.0.
TEST_CASE("a wait for another context than the current one names it", "[callbacks]") {
  cupti::CuptiApi cupti = test::numbering_cupti();
  cupti.get_context_id = [](CUcontext context, std::uint32_t* id) {
    *id = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(context));
    return CUPTI_SUCCESS;
  };
  const auto context_of = [&cupti](CUcontext context) {
    CallData call(&context, 42);
    call.exit();
    return std::get<Wait>(
               event_of(*event_function(of_driver, 800), call.data(), call_times, cupti).value())
        .context;
  };
  CHECK(context_of(handle<CUcontext>(3)) == 3);
  CHECK(context_of(nullptr) == 1);
  cupti.get_context_id = nullptr;
  CHECK(context_of(handle<CUcontext>(3)) == 1);
}

TEST_CASE("an event that is made is told with its handle", "[callbacks]") {
  cudaEvent_t made = handle<cudaEvent_t>(21);
  const auto check_made = [](const std::optional<Event>& event) {
    REQUIRE(event);
    CHECK(std::get<NewEvent>(*event).event == 21);
    CHECK(std::get<NewEvent>(*event).context == 1);
  };
  check_made(told(RUNTIME(cudaEventCreate_v3020, &made)));
  check_made(told(RUNTIME(cudaEventCreateWithFlags_v3020, &made, 0)));
  check_made(told(RUNTIME(cudaIpcOpenEventHandle_v4010, &made, {})));
  check_made(told(DRIVER(cuEventCreate, &made, 0)));
  check_made(told(DRIVER(cuIpcOpenEventHandle, &made, {})));
  CHECK_FALSE(told(DRIVER(cuEventCreate, nullptr, 0)));
}

TEST_CASE("a query that was not ready is an answer, every other failure is nothing",
          "[callbacks]") {
  constexpr int not_ready = 600;
  constexpr int invalid_value = 1;
  const cudaEventQuery_v3020_params query{handle<cudaEvent_t>(21)};
  const auto answer =
      told(of_runtime, CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020, query, not_ready);
  REQUIRE(answer);
  CHECK(std::get<Wait>(*answer).result == not_ready);
  CHECK_FALSE(
      told(of_runtime, CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020, query, invalid_value));
  const cudaEventRecord_v3020_params record{handle<cudaEvent_t>(21), nullptr};
  for (const int result : {not_ready, invalid_value}) {
    CHECK_FALSE(told(of_runtime, CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020, record, result));
  }
}

TEST_CASE("a call in a stream that is being captured says so", "[callbacks]") {
  static CUstream asked;
  EventCall during_capture = call_times;
  during_capture.is_capturing = [](CUstream stream, CUstreamCaptureStatus* status) {
    asked = stream;
    *status = stream == handle<CUstream>(13) ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                                             : CU_STREAM_CAPTURE_STATUS_NONE;
    return stream == CU_STREAM_LEGACY ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : CUDA_SUCCESS;
  };
  const auto records = [&](CUpti_CallbackId id, CUstream stream) {
    const cudaEventRecord_v3020_params params{handle<cudaEvent_t>(21), stream};
    return std::get<EventRecord>(told(of_runtime, id, params, 0, during_capture).value())
        .is_captured;
  };
  CHECK(records(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020, handle<CUstream>(13)));
  CHECK_FALSE(records(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020, handle<CUstream>(14)));
  CHECK_FALSE(records(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020, nullptr));
  CHECK(asked == CU_STREAM_LEGACY);
  CHECK_FALSE(records(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_ptsz_v7000, nullptr));
  CHECK(asked == CU_STREAM_PER_THREAD);
  const cudaStreamWaitEvent_v3020_params wait{handle<cudaStream_t>(13), handle<cudaEvent_t>(21), 0};
  CHECK(std::get<Wait>(told(of_runtime, CUPTI_RUNTIME_TRACE_CBID_cudaStreamWaitEvent_v3020, wait, 0,
                            during_capture)
                           .value())
            .is_captured);
}

TEST_CASE("only the functions of the table are found in it", "[callbacks]") {
  for (const EventFunction& function : event_functions()) {
    CHECK(event_function(function.domain, function.id) == &function);
  }
  CHECK_FALSE(event_function(of_runtime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000));
  CHECK_FALSE(event_function(of_driver, CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020 + 5000));
}

// CUPTI makes records for these functions.
TEST_CASE("every variant of a function that records, waits or makes an event is known",
          "[callbacks]") {
  const cupti::CuptiApi& cupti = test::real_cupti();
  using Action = EventFunction::Action;
  const std::map<std::string, Action> actions = {
      {"cudaDeviceSynchronize", Action::wait_for_context},
      {"cudaThreadSynchronize", Action::wait_for_context},
      {"cuCtxSynchronize", Action::wait_for_context},
      {"cudaStreamSynchronize", Action::wait_for_stream},
      {"cuStreamSynchronize", Action::wait_for_stream},
      {"cudaStreamQuery", Action::query_stream},
      {"cuStreamQuery", Action::query_stream},
      {"cudaEventSynchronize", Action::wait_for_event},
      {"cuEventSynchronize", Action::wait_for_event},
      {"cudaEventQuery", Action::query_event},
      {"cuEventQuery", Action::query_event},
      {"cudaStreamWaitEvent", Action::stream_waits},
      {"cuStreamWaitEvent", Action::stream_waits},
      {"cudaEventRecord", Action::record},
      {"cuEventRecord", Action::record},
      {"cudaEventRecordWithFlags", Action::record},
      {"cuEventRecordWithFlags", Action::record},
      {"cudaEventCreate", Action::make},
      {"cudaEventCreateWithFlags", Action::make},
      {"cuEventCreate", Action::make},
      {"cudaIpcOpenEventHandle", Action::make},
      {"cuIpcOpenEventHandle", Action::make},
      {"cudaStreamBeginCapture", Action::begin_capture},
      {"cudaStreamBeginCaptureToGraph", Action::begin_capture},
      {"cuStreamBeginCapture", Action::begin_capture},
      {"cuStreamBeginCaptureToGraph", Action::begin_capture},
      {"cudaStreamEndCapture", Action::end_capture},
      {"cuStreamEndCapture", Action::end_capture},
  };
  std::size_t found = 0;
  for (const auto domain : {of_runtime, of_driver}) {
    for (CUpti_CallbackId id = 1; id < 1200; ++id) {
      const char* text = nullptr;
      if (cupti.get_callback_name(domain, id, &text) != CUPTI_SUCCESS || !text) continue;
      const std::string name = text;
      INFO(name);
      const auto action = actions.find(name.substr(0, name.find('_')));
      const EventFunction* function = event_function(domain, id);
      CHECK((function != nullptr) == (action != actions.end()));
      if (!function || action == actions.end()) continue;
      ++found;
      CHECK(function->action == action->second);
      const bool asks_for_stream =
          function->action != Action::begin_capture && function->action != Action::end_capture;
      if (asks_for_stream) {
        CHECK((name.find("_ptsz") != std::string::npos) == function->per_thread_default);
      }
    }
  }
  CHECK(found >= 40);
}

std::optional<schema::WaitKind> wait_kind(EventFunction::Action action) {
  using Action = EventFunction::Action;
  switch (action) {
    case Action::wait_for_context:
      return schema::WaitKind::waits_for_context;
    case Action::wait_for_stream:
      return schema::WaitKind::waits_for_stream;
    case Action::wait_for_event:
      return schema::WaitKind::waits_for_event;
    case Action::query_stream:
      return schema::WaitKind::asks_for_stream;
    case Action::query_event:
      return schema::WaitKind::asks_for_event;
    case Action::stream_waits:
      return schema::WaitKind::stream_waits_for_event;
    default:
      return std::nullopt;
  }
}

// Returns whether a function waits for no work of the device, although its name has a word like
// "Wait". In some of these functions, a stream waits for something else, such as an external
// semaphore.
bool is_known_as_no_wait(const std::string& name) {
  constexpr const char* parts[] = {"FromEGLSync",        "FromNVNSync",   "NvSciSync",
                                   "ExternalSemaphores", "EventWaitNode", "WaitValue",
                                   "CtxWaitEvent"};
  return std::any_of(std::begin(parts), std::end(parts),
                     [&name](const char* part) { return name.find(part) != std::string::npos; });
}

// If this test fails with a new release of CUPTI, add the new function to schema::wait_functions or
// to is_known_as_no_wait().
TEST_CASE("schema::wait_functions has every waiting function of CUPTI", "[callbacks]") {
  const cupti::CuptiApi& cupti = test::real_cupti();
  std::set<std::string_view> found;
  for (const auto domain : {of_runtime, of_driver}) {
    for (CUpti_CallbackId id = 1; id < 1200; ++id) {
      const char* text = nullptr;
      if (cupti.get_callback_name(domain, id, &text) != CUPTI_SUCCESS || !text) continue;
      const std::string name = text;
      INFO(name);
      const schema::WaitFunction* wait = schema::wait_function(name);
      const auto has = [&name](const char* part) { return name.find(part) != std::string::npos; };
      const bool may_wait = has("Sync") || has("Wait") || has("StreamQuery") || has("EventQuery");
      CHECK((wait != nullptr) == (may_wait && !is_known_as_no_wait(name)));
      const EventFunction* recorded = event_function(domain, id);
      const auto kind = recorded ? wait_kind(recorded->action) : std::nullopt;
      CHECK(kind.has_value() == (wait != nullptr));
      if (!wait || !kind) continue;
      CHECK(*kind == wait->kind);
      found.insert(wait->name);
    }
  }
  CHECK(found.size() == std::size(schema::wait_functions));
}

}  // namespace
}  // namespace lapscope::callbacks
