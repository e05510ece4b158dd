#include "collector/callbacks/listener.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "tests/catch.h"
#include "tests/collector/callbacks/support.h"

namespace lapscope::callbacks {
namespace {

using test::CallData;
using test::handle;

constexpr auto runtime = CUPTI_CB_DOMAIN_RUNTIME_API;
constexpr auto driver = CUPTI_CB_DOMAIN_DRIVER_API;
constexpr auto host_func = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000;
constexpr auto driver_host_func = CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc;

// Reports calls of a program to a listener, as CUPTI does.
struct Program {
  cupti::CuptiApi cupti = test::numbering_cupti();
  Listener listener{cupti};
  cudaLaunchHostFunc_v10000_params params{handle<cudaStream_t>(13), nullptr, nullptr};

  void tell(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    Listener::callback()(&listener, domain, id, data);
  }
  void tell_graph(CUpti_CallbackId id, CUpti_GraphData graph) {
    CUpti_ResourceData data{};
    data.resourceDescriptor = &graph;
    tell(CUPTI_CB_DOMAIN_RESOURCE, id, &data);
  }
  std::vector<Event> events() { return listener.events().take(); }
};

CUpti_GraphData node_data(std::uintptr_t node) {
  CUpti_GraphData data{};
  data.graph = handle<CUgraph>(1);
  data.node = handle<CUgraphNode>(node);
  data.nodeType = CU_GRAPH_NODE_TYPE_HOST;
  return data;
}

constexpr Source all_sources[] = {Source::host_functions,    Source::graph_launches,
                                  Source::stream_memory_ops, Source::launch_attributes,
                                  Source::graph_nodes,       Source::capture_range,
                                  Source::synchronization,   Source::cuda_events};

TEST_CASE("a call becomes one event, when it has returned", "[callbacks]") {
  Program program;
  CallData call(&program.params, 5);
  program.tell(runtime, host_func, call.enter());
  CHECK(program.events().empty());
  program.tell(runtime, host_func, call.exit());
  const auto events = program.events();
  REQUIRE(events.size() == 1);
  CHECK(std::get<HostFunction>(events[0]).call.correlation == 5);
}

TEST_CASE("a call that failed is no event", "[callbacks]") {
  Program program;
  constexpr int invalid_value = 1;
  CallData call(&program.params, 5, invalid_value);
  program.tell(runtime, host_func, call.enter());
  program.tell(runtime, host_func, call.exit());
  CHECK(program.events().empty());
}

//   program   |-- cudaLaunchHostFunc --------------|   |-- cuLaunchHostFunc --|
//   runtime          |-- cuLaunchHostFunc --|
TEST_CASE("a driver call inside a runtime call is not reported twice", "[callbacks]") {
  Program program;
  CallData outer(&program.params, 5);
  CallData inner(&program.params, 6);
  program.tell(runtime, host_func, outer.enter());
  program.tell(driver, driver_host_func, inner.enter());
  program.tell(driver, driver_host_func, inner.exit());
  program.tell(runtime, host_func, outer.exit());
  CallData own(&program.params, 7);
  program.tell(driver, driver_host_func, own.enter());
  program.tell(driver, driver_host_func, own.exit());
  const auto events = program.events();
  REQUIRE(events.size() == 2);
  CHECK(std::get<HostFunction>(events[0]).call.correlation == 5);
  CHECK(std::get<HostFunction>(events[1]).call.correlation == 7);
}

//   program   |-- cudaStreamWaitEvent --------------|   |-- cuStreamWaitEvent --|
//   runtime          |-- cuStreamWaitEvent --|
TEST_CASE("a wait is reported once, for the call that the program made", "[callbacks]") {
  Program program;
  const cudaStreamWaitEvent_v3020_params params{handle<cudaStream_t>(13), handle<cudaEvent_t>(21),
                                                0};
  CallData outer(&params, 5);
  CallData inner(&params, 6);
  program.tell(runtime, CUPTI_RUNTIME_TRACE_CBID_cudaStreamWaitEvent_v3020, outer.enter());
  program.tell(driver, CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent, inner.enter());
  program.tell(driver, CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent, inner.exit());
  CHECK(program.events().empty());
  program.tell(runtime, CUPTI_RUNTIME_TRACE_CBID_cudaStreamWaitEvent_v3020, outer.exit());
  CallData own(&params, 7);
  program.tell(driver, CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent, own.enter());
  program.tell(driver, CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent, own.exit());
  const auto events = program.events();
  REQUIRE(events.size() == 2);
  CHECK(std::get<Wait>(events[0]).correlation == 5);
  CHECK(std::get<Wait>(events[0]).begin == test::event_time);
  CHECK(std::get<Wait>(events[0]).end == test::event_time);
  CHECK(std::get<Wait>(events[1]).correlation == 7);
}

//   cudaStreamBeginCapture   cudaEventRecord   cudaStreamEndCapture   cudaEventRecord
TEST_CASE("streams are asked whether they are captured while there is a capture", "[callbacks]") {
  static int asked;
  asked = 0;
  const cupti::CuptiApi cupti = test::numbering_cupti();
  Listener listener(cupti, [](CUstream, CUstreamCaptureStatus* status) {
    ++asked;
    *status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return CUDA_SUCCESS;
  });
  const cudaEventRecord_v3020_params params{handle<cudaEvent_t>(21), handle<cudaStream_t>(13)};
  const auto call = [&](CUpti_CallbackId id, int result = 0) {
    CallData data(&params, 5, result);
    Listener::callback()(&listener, runtime, id, data.enter());
    Listener::callback()(&listener, runtime, id, data.exit());
  };
  constexpr auto record = CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020;
  call(record);
  CHECK(asked == 0);
  call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamEndCapture_v10000);  // of a stream that is not captured
  call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamBeginCapture_v10000, 1);
  call(record);
  CHECK(asked == 0);
  call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamBeginCapture_v10000);
  call(record);
  CHECK(asked == 1);
  call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamEndCapture_v10000);
  call(record);
  CHECK(asked == 1);
  const auto events = listener.events().take();
  REQUIRE(events.size() == 4);
  CHECK_FALSE(std::get<EventRecord>(events[1]).is_captured);
  CHECK(std::get<EventRecord>(events[2]).is_captured);
  CHECK_FALSE(std::get<EventRecord>(events[3]).is_captured);
}

// The first call is in a captured stream and makes node 9. The second call makes no node.
TEST_CASE("a call in a captured stream is reported with the node that it made", "[callbacks]") {
  Program program;
  CallData captured(&program.params, 5);
  program.tell(runtime, host_func, captured.enter());
  program.tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING, node_data(9));
  program.tell(runtime, host_func, captured.exit());
  CallData direct(&program.params, 6);
  program.tell(runtime, host_func, direct.enter());
  program.tell(runtime, host_func, direct.exit());
  const auto events = program.events();
  REQUIRE(events.size() == 3);
  CHECK(std::get<GraphNode>(events[0]).node == 9);
  CHECK(std::get<HostFunction>(events[1]).call.captured_node == 9);
  CHECK_FALSE(std::get<HostFunction>(events[2]).call.captured_node.has_value());
}

TEST_CASE("a node of a graph is told with its graph, type and time", "[callbacks]") {
  Program program;
  program.tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING, node_data(9));
  const auto events = program.events();
  REQUIRE(events.size() == 1);
  const auto& node = std::get<GraphNode>(events[0]);
  CHECK(node.time == test::event_time);
  CHECK(node.thread == static_cast<std::uint32_t>(::gettid()));
  CHECK(node.graph == 1);
  CHECK(node.node == 9);
  CHECK_FALSE(node.original.has_value());
  CHECK(node.type == CU_GRAPH_NODE_TYPE_HOST);
}

TEST_CASE("a clone names its original", "[callbacks]") {
  Program program;
  CUpti_GraphData data = node_data(19);
  data.originalNode = handle<CUgraphNode>(9);
  program.tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, data);
  const auto events = program.events();
  REQUIRE(events.size() == 1);
  CHECK(std::get<GraphNode>(events[0]).node == 19);
  CHECK(std::get<GraphNode>(events[0]).original == 9);
}

TEST_CASE("dependencies of nodes come and go", "[callbacks]") {
  Program program;
  CUpti_GraphData data = node_data(9);
  data.dependency = handle<CUgraphNode>(8);
  program.tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_CREATED, data);
  program.tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_DEPENDENCY_DESTROY_STARTING, data);
  const auto events = program.events();
  REQUIRE(events.size() == 2);
  for (const Event& event : events) {
    const auto& edge = std::get<GraphEdge>(event);
    CHECK(edge.node == 9);
    CHECK(edge.dependency == 8);
    CHECK(edge.graph == 1);
  }
  CHECK_FALSE(std::get<GraphEdge>(events[0]).removed);
  CHECK(std::get<GraphEdge>(events[1]).removed);
}

TEST_CASE("callbacks without data or of other functions are nothing", "[callbacks]") {
  Program program;
  program.tell(runtime, host_func, nullptr);
  program.tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING, node_data(0));
  CUpti_ResourceData no_graph{};
  program.tell(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_STREAM_CREATED, &no_graph);
  CallData call(&program.params, 5);
  program.tell(runtime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, call.enter());
  program.tell(runtime, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, call.exit());
  CHECK(program.events().empty());
}

TEST_CASE("a forked child is not listened to", "[callbacks]") {
  Program program;
  const pid_t child = ::fork();
  if (child == 0) {
    CallData call(&program.params, 5);
    program.tell(runtime, host_func, call.enter());
    program.tell(runtime, host_func, call.exit());
    program.tell_graph(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATE_STARTING, node_data(9));
    ::_exit(program.events().empty() ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("the switches of the profiler API are told whatever they return", "[callbacks]") {
  Program program;
  constexpr auto start = CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000;
  CallData call(nullptr, 5, 1);
  program.tell(runtime, start, call.enter());
  program.tell(driver, CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, call.enter());
  program.tell(driver, CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, call.exit());
  program.tell(runtime, start, call.exit());
  program.tell(driver, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop, call.enter());
  program.tell(driver, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop, call.exit());
  const auto events = program.events();
  REQUIRE(events.size() == 2);
  CHECK(std::get<ProfilerSwitch>(events[0]).on);
  CHECK(std::get<ProfilerSwitch>(events[0]).time == test::event_time);
  CHECK_FALSE(std::get<ProfilerSwitch>(events[1]).on);
}

TEST_CASE("how long a thread ran is read where the last reading is old", "[callbacks]") {
  Program program;
  constexpr Source cpu_times[] = {Source::cpu_times};
  program.listener.enable(nullptr, cpu_times);
  CallData call(&program.params, 5);
  const auto readings = [&] {
    std::vector<CpuTime> found;
    for (const Event& event : program.events()) {
      if (const auto* one = std::get_if<CpuTime>(&event)) found.push_back(*one);
    }
    return found;
  };
  // In the new thread, the listener has not read the clock yet.
  std::thread([&] {
    const auto thread = static_cast<std::uint32_t>(::gettid());
    program.tell(runtime, host_func, call.enter());
    program.tell(driver, driver_host_func, call.enter());
    program.tell(driver, driver_host_func, call.exit());
    program.tell(runtime, host_func, call.exit());
    const auto first = readings();
    REQUIRE(first.size() == 1);
    CHECK(first[0].thread == thread);
    CHECK(first[0].time == test::event_time);

    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    program.tell(runtime, host_func, call.enter());
    program.tell(runtime, host_func, call.exit());
    const auto second = readings();
    REQUIRE(second.size() == 1);
    CHECK(second[0].on_cpu >= first[0].on_cpu);
    // The thread slept for 20 ms.
    CHECK(second[0].on_cpu - first[0].on_cpu < 10'000'000);
  }).join();
}

TEST_CASE("a wait has a reading at its end, too: the thread may have spun or slept",
          "[callbacks]") {
  Program program;
  constexpr Source sources[] = {Source::cpu_times, Source::synchronization};
  program.listener.enable(nullptr, sources);
  constexpr auto synchronize = CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020;
  CallData call(nullptr, 5);
  std::thread([&] {
    program.tell(runtime, synchronize, call.enter());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    program.tell(runtime, synchronize, call.exit());
  }).join();
  const auto events = program.events();
  REQUIRE(events.size() == 3);
  CHECK(std::holds_alternative<CpuTime>(events[0]));
  CHECK(std::holds_alternative<CpuTime>(events[1]));
  CHECK(std::holds_alternative<Wait>(events[2]));
}

TEST_CASE("what needs a context is enabled at the first one, once", "[callbacks]") {
  static int times;
  times = 0;
  Program program;
  const auto enable = [](const cupti::CuptiApi&) {
    ++times;
    return CUPTI_ERROR_NOT_COMPATIBLE;
  };
  CHECK(program.listener.enable_with_context(nullptr, CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER,
                                             enable) == CUPTI_SUCCESS);
  CHECK(times == 0);
  CUpti_ResourceData context{};
  program.tell(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED, &context);
  program.tell(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED, &context);
  CHECK(times == 1);
  const auto events = program.events();
  REQUIRE(events.size() == 1);
  CHECK(std::get<EnabledKind>(events[0]).kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
  CHECK(std::get<EnabledKind>(events[0]).result == CUPTI_ERROR_NOT_COMPATIBLE);
}

//   capture             |-- 1 --|    |-- 2 ------------------|
//   cudaLaunchHostFunc       |-------|
//   cuLaunchHostFunc                      |---|
TEST_CASE("a call whose exit was not reported hides no calls of the next capture", "[callbacks]") {
  Program program;
  CallData unended(&program.params, 5);
  program.tell(runtime, host_func, unended.enter());
  program.listener.switch_to({}, false);
  program.listener.switch_to(all_sources, false);
  CallData own(&program.params, 6);
  program.tell(driver, driver_host_func, own.enter());
  program.tell(driver, driver_host_func, own.exit());
  const auto events = program.events();
  REQUIRE(events.size() == 1);
  CHECK(std::get<HostFunction>(events[0]).call.correlation == 6);
}

//   capture                 |-- 1 ------|        |-- 2 ----------------------|
//   cudaDeviceSynchronize      |-----|       |------|
//   cuCtxSynchronize                                    |---|
TEST_CASE("a wait that began before the capture is no event", "[callbacks]") {
  Program program;
  constexpr auto synchronize = CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020;
  constexpr auto driver_synchronize = CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize;
  CallData earlier(nullptr, 5);
  program.tell(runtime, synchronize, earlier.enter());
  program.tell(runtime, synchronize, earlier.exit());
  CHECK(program.events().size() == 1);
  program.listener.switch_to({}, false);
  program.listener.switch_to(all_sources, false);
  CallData begun(nullptr, 6);
  program.tell(runtime, synchronize, begun.exit());
  CHECK(program.events().empty());
  CallData whole(nullptr, 7);
  program.tell(driver, driver_synchronize, whole.enter());
  program.tell(driver, driver_synchronize, whole.exit());
  CallData outer(nullptr, 8);  // only its driver call was heard from the begin
  program.tell(runtime, synchronize, outer.exit());
  const auto events = program.events();
  REQUIRE(events.size() == 1);
  CHECK(std::get<Wait>(events[0]).correlation == 7);
}

TEST_CASE("only the sources that are asked for are enabled", "[callbacks]") {
  static std::vector<std::pair<CUpti_CallbackDomain, CUpti_CallbackId>> enabled;
  enabled.clear();
  cupti::CuptiApi cupti = test::numbering_cupti();
  cupti.enable_callback = [](std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain domain,
                             CUpti_CallbackId id) {
    enabled.emplace_back(domain, id);
    return CUPTI_SUCCESS;
  };
  CHECK(Listener(cupti).enable(nullptr, {}).empty());
  CHECK(enabled.empty());
  constexpr Source capture[] = {Source::capture_range};
  CHECK(Listener(cupti).enable(nullptr, capture).size() == 1);
  CHECK(enabled.size() == 4);
}

TEST_CASE("a source that libcupti refuses is reported and the others are enabled", "[callbacks]") {
  cupti::CuptiApi cupti = test::numbering_cupti();
  cupti.enable_callback = [](std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain domain,
                             CUpti_CallbackId id) {
    return domain == driver && id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch
               ? CUPTI_ERROR_INVALID_PARAMETER
               : CUPTI_SUCCESS;
  };
  for (const auto& [source, result] : Listener(cupti).enable(nullptr, all_sources)) {
    CHECK(result ==
          (source == Source::graph_launches ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS));
  }
  // An older libcupti does not know the function.
  cupti.get_callback_name = [](CUpti_CallbackDomain domain, std::uint32_t id, const char**) {
    return domain == driver && id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch
               ? CUPTI_ERROR_INVALID_PARAMETER
               : CUPTI_SUCCESS;
  };
  for (const auto& [source, result] : Listener(cupti).enable(nullptr, all_sources)) {
    CHECK(result == CUPTI_SUCCESS);
  }
  cupti.enable_callback = nullptr;
  for (const auto& [source, result] : Listener(cupti).enable(nullptr, all_sources)) {
    CHECK(result == CUPTI_ERROR_NOT_SUPPORTED);
  }
}

}  // namespace
}  // namespace lapscope::callbacks
