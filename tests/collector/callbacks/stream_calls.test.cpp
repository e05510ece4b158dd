#include "collector/callbacks/stream_calls.h"

#include <unistd.h>

#include <set>

#include "tests/catch.h"
#include "tests/collector/callbacks/support.h"
#include "tests/collector/support/real_cupti.h"

namespace lapscope::callbacks {
namespace {

using test::CallData;
using test::handle;

template <class Params>
std::optional<Event> event_if_any(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                  const Params& params) {
  static const cupti::CuptiApi cupti = test::numbering_cupti();
  CallData call(&params, 42);
  call.exit();
  for (const TracedFunction& function : traced_functions()) {
    if (function.domain == domain && function.id == id) {
      return event_of(function, call.data(), std::nullopt, cupti);
    }
  }
  FAIL("function " << id << " is not traced");
  return {};
}

template <class Params>
Event event(CUpti_CallbackDomain domain, CUpti_CallbackId id, const Params& params) {
  const auto made = event_if_any(domain, id, params);
  REQUIRE(made);
  return *made;
}

template <class Params>
Event runtime_event(CUpti_CallbackId id, const Params& params) {
  return event(CUPTI_CB_DOMAIN_RUNTIME_API, id, params);
}
template <class Params>
Event driver_event(CUpti_CallbackId id, const Params& params) {
  return event(CUPTI_CB_DOMAIN_DRIVER_API, id, params);
}

std::optional<std::uint32_t> host_stream(const Event& event) {
  const auto* host = std::get_if<HostFunction>(&event);
  return host ? host->call.stream : std::nullopt;
}

constexpr std::uint32_t own = test::thread_stream_offset;

TEST_CASE("the stream of a host function is found among the arguments of every variant",
          "[callbacks]") {
  const cudaLaunchHostFunc_v10000_params launch{handle<cudaStream_t>(13), nullptr, nullptr};
  CHECK(host_stream(runtime_event(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000, launch)) ==
        13);
  const cudaLaunchHostFunc_ptsz_v10000_params launch_ptsz{handle<cudaStream_t>(14), nullptr,
                                                          nullptr};
  CHECK(host_stream(runtime_event(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_ptsz_v10000,
                                  launch_ptsz)) == 14 + own);
  const cudaStreamAddCallback_v5000_params add{handle<cudaStream_t>(15), nullptr, nullptr, 0};
  CHECK(host_stream(runtime_event(CUPTI_RUNTIME_TRACE_CBID_cudaStreamAddCallback_v5000, add)) ==
        15);
  const cudaStreamAddCallback_ptsz_v7000_params add_ptsz{handle<cudaStream_t>(16), nullptr, nullptr,
                                                         0};
  CHECK(host_stream(runtime_event(CUPTI_RUNTIME_TRACE_CBID_cudaStreamAddCallback_ptsz_v7000,
                                  add_ptsz)) == 16 + own);
  const cuLaunchHostFunc_params driver_launch{handle<CUstream>(17), nullptr, nullptr};
  CHECK(host_stream(driver_event(CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc, driver_launch)) == 17);
  const cuLaunchHostFunc_ptsz_params driver_launch_ptsz{handle<CUstream>(18), nullptr, nullptr};
  CHECK(host_stream(driver_event(CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc_ptsz,
                                 driver_launch_ptsz)) == 18 + own);
  const cuStreamAddCallback_params driver_add{handle<CUstream>(19), nullptr, nullptr, 0};
  CHECK(host_stream(driver_event(CUPTI_DRIVER_TRACE_CBID_cuStreamAddCallback, driver_add)) == 19);
  const cuStreamAddCallback_ptsz_params driver_add_ptsz{handle<CUstream>(20), nullptr, nullptr, 0};
  CHECK(host_stream(driver_event(CUPTI_DRIVER_TRACE_CBID_cuStreamAddCallback_ptsz,
                                 driver_add_ptsz)) == 20 + own);
}

void some_function(void*) {}

TEST_CASE("an event tells the call, its thread and its host function", "[callbacks]") {
  const cudaLaunchHostFunc_v10000_params params{handle<cudaStream_t>(13), some_function, nullptr};
  const Event made = runtime_event(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000, params);
  const auto* host = std::get_if<HostFunction>(&made);
  REQUIRE(host);
  CHECK(host->call.correlation == 42);
  CHECK(host->call.context == 1);
  CHECK(host->call.thread == static_cast<std::uint32_t>(::gettid()));
  CHECK(host->function == reinterpret_cast<const void*>(some_function));
  CHECK_FALSE(host->call.captured_node.has_value());
}

TEST_CASE("a graph launch tells its stream and its graph", "[callbacks]") {
  const cudaGraphLaunch_v10000_params runtime{handle<cudaGraphExec_t>(3), handle<cudaStream_t>(13)};
  const Event made = runtime_event(CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000, runtime);
  const auto* launch = std::get_if<GraphLaunch>(&made);
  REQUIRE(launch);
  CHECK(launch->graph == 3);
  CHECK(launch->call.stream == 13);
  const cuGraphLaunch_ptsz_params driver{handle<CUgraphExec>(4), handle<CUstream>(14)};
  const Event other = driver_event(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz, driver);
  const auto* driver_launch = std::get_if<GraphLaunch>(&other);
  REQUIRE(driver_launch);
  CHECK(driver_launch->graph == 4);
  CHECK(driver_launch->call.stream == 14 + own);
}

TEST_CASE("a stream memory operation tells its stream and its word", "[callbacks]") {
  const cuStreamWaitValue32_v2_params wait{handle<CUstream>(13), 0x7f0000000010, 1, 0};
  const Event made = driver_event(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitValue32_v2, wait);
  const auto* op = std::get_if<StreamMemoryOp>(&made);
  REQUIRE(op);
  CHECK(op->call.stream == 13);
  CHECK(op->operation == StreamMemoryOp::Operation::wait);
  CHECK(op->address == 0x7f0000000010);
  const cuStreamWriteValue64_v2_ptsz_params write{handle<CUstream>(14), 0x7f0000000020, 1, 0};
  const Event other = driver_event(CUPTI_DRIVER_TRACE_CBID_cuStreamWriteValue64_v2_ptsz, write);
  const auto* written = std::get_if<StreamMemoryOp>(&other);
  REQUIRE(written);
  CHECK(written->call.stream == 14 + own);
  CHECK(written->operation == StreamMemoryOp::Operation::write);
  CHECK(written->address == 0x7f0000000020);
}

TEST_CASE("a batch of memory operations tells how many they are", "[callbacks]") {
  const cuStreamBatchMemOp_v2_params batch{handle<CUstream>(13), 3, nullptr, 0xFFFFFFFF};
  const Event made = driver_event(CUPTI_DRIVER_TRACE_CBID_cuStreamBatchMemOp_v2, batch);
  const auto* op = std::get_if<StreamMemoryOp>(&made);
  REQUIRE(op);
  CHECK(op->operation == StreamMemoryOp::Operation::batch);
  CHECK(op->address == 3);
}

TEST_CASE("a launch with attributes that change its start tells them and its stream",
          "[callbacks]") {
  cudaLaunchAttribute attributes[3] = {};
  attributes[0].id = cudaLaunchAttributeClusterDimension;  // the kernel's record contains it
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  attributes[2].id = cudaLaunchAttributePriority;
  attributes[2].val.priority = -3;
  cudaLaunchConfig_t config = {};
  config.stream = handle<cudaStream_t>(13);
  config.attrs = attributes;
  config.numAttrs = 3;
  const cudaLaunchKernelExC_v11060_params params{&config, nullptr, nullptr};
  const Event made = runtime_event(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060, params);
  const auto* launch = std::get_if<LaunchAttributes>(&made);
  REQUIRE(launch);
  CHECK(launch->call.stream == 13);
  CHECK(launch->call.correlation == 42);
  CHECK(launch->programmatic_serialization);
  CHECK_FALSE(launch->programmatic_event);
  CHECK_FALSE(launch->launch_completion_event);
  CHECK(launch->priority == -3);
}

TEST_CASE("a launch through the driver tells its attributes likewise", "[callbacks]") {
  CUlaunchAttribute attributes[2] = {};
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT;
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
  CUlaunchConfig config = {};
  config.hStream = handle<CUstream>(14);
  config.attrs = attributes;
  config.numAttrs = 2;
  const cuLaunchKernelEx_ptsz_params params{&config, nullptr, nullptr, nullptr};
  const Event made = driver_event(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz, params);
  const auto* launch = std::get_if<LaunchAttributes>(&made);
  REQUIRE(launch);
  CHECK(launch->call.stream == 14 + own);
  CHECK_FALSE(launch->programmatic_serialization);
  CHECK(launch->programmatic_event);
  CHECK(launch->launch_completion_event);
  CHECK_FALSE(launch->priority.has_value());
}

TEST_CASE("a launch whose attributes change nothing of its start is no event", "[callbacks]") {
  CUlaunchAttribute attributes[2] = {};
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;  // 0 forbids it
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  CUlaunchConfig config = {};
  config.attrs = attributes;
  const cuLaunchKernelEx_params params{&config, nullptr, nullptr, nullptr};
  for (const unsigned count : {0U, 1U, 2U}) {
    config.numAttrs = count;
    CHECK_FALSE(
        event_if_any(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, params));
  }
}

// A default stream has no pointer as its handle. CUPTI finds the stream by its context.
TEST_CASE("a default stream is asked for by its context", "[callbacks]") {
  static CUcontext asked_context;
  cupti::CuptiApi cupti = test::numbering_cupti();
  cupti.get_stream_id_ex = [](CUcontext context, CUstream stream, std::uint8_t per_thread,
                              std::uint32_t* id) {
    asked_context = context;
    if (!context || stream) return CUPTI_ERROR_INVALID_STREAM;
    *id = per_thread ? 8 : 7;
    return CUPTI_SUCCESS;
  };
  const auto stream_of = [&cupti](CUstream stream, bool ptsz) {
    const cuLaunchHostFunc_params params{stream, nullptr, nullptr};
    CallData call(&params, 42);
    call.data().context = handle<CUcontext>(5);
    call.exit();
    const auto id = ptsz ? CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc_ptsz
                         : CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc;
    for (const TracedFunction& function : traced_functions()) {
      if (function.domain != CUPTI_CB_DOMAIN_DRIVER_API || function.id != id) continue;
      return std::get<HostFunction>(event_of(function, call.data(), std::nullopt, cupti).value())
          .call.stream;
    }
    return std::optional<std::uint32_t>();
  };
  CHECK(stream_of(nullptr, false) == 7);
  CHECK(stream_of(nullptr, true) == 8);
  CHECK(stream_of(CU_STREAM_LEGACY, true) == 7);
  CHECK(stream_of(CU_STREAM_PER_THREAD, false) == 8);
  CHECK(asked_context == handle<CUcontext>(5));
}

TEST_CASE("a stream that CUPTI cannot tell is left open", "[callbacks]") {
  cupti::CuptiApi cupti = test::numbering_cupti();
  cupti.get_stream_id_ex = [](CUcontext, CUstream, std::uint8_t, std::uint32_t*) {
    return CUPTI_ERROR_INVALID_STREAM;
  };
  cupti.get_graph_exec_id = nullptr;  // an older libcupti
  const cudaGraphLaunch_v10000_params params{handle<cudaGraphExec_t>(3), handle<cudaStream_t>(13)};
  CallData call(&params, 42);
  for (const TracedFunction& function : traced_functions()) {
    if (function.source != Source::graph_launches) continue;
    const Event made = event_of(function, call.data(), std::nullopt, cupti).value();
    CHECK_FALSE(std::get<GraphLaunch>(made).call.stream.has_value());
    CHECK_FALSE(std::get<GraphLaunch>(made).graph.has_value());
  }
}

TEST_CASE("a function is traced once, under the name that says what it is", "[callbacks]") {
  const cupti::CuptiApi& cupti = test::real_cupti();
  std::set<std::pair<int, CUpti_CallbackId>> seen;
  for (const TracedFunction& function : traced_functions()) {
    INFO(function.id);
    CHECK(seen.emplace(function.domain, function.id).second);
    const char* text = nullptr;
    if (cupti.get_callback_name(function.domain, function.id, &text) != CUPTI_SUCCESS) continue;
    const std::string name = text;
    CHECK((name.find("_ptsz") != std::string::npos) == function.per_thread_default);
    CHECK((name.find("Graph") != std::string::npos) == (function.source == Source::graph_launches));
    CHECK((name.find("Value") != std::string::npos || name.find("MemOp") != std::string::npos) ==
          (function.source == Source::stream_memory_ops));
    CHECK((name.find("LaunchKernelEx") != std::string::npos) ==
          (function.source == Source::launch_attributes));
    CHECK((name.find("Write") != std::string::npos) ==
          (function.operation == StreamMemoryOp::Operation::write));
    CHECK((name.find("Batch") != std::string::npos) ==
          (function.operation == StreamMemoryOp::Operation::batch));
  }
}

}  // namespace
}  // namespace lapscope::callbacks
