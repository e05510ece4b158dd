#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "collector/callbacks/listener.h"
#include "collector/callbacks/stack_calls.h"
#include "tests/catch.h"
#include "tests/collector/callbacks/support.h"
#include "tests/collector/support/real_cupti.h"

namespace lapscope::callbacks {
namespace {

using test::CallData;
using namespace std::chrono_literals;

constexpr auto runtime_api = CUPTI_CB_DOMAIN_RUNTIME_API;
constexpr auto driver_api = CUPTI_CB_DOMAIN_DRIVER_API;
constexpr auto launch = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
constexpr auto driver_launch = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel;
constexpr auto synchronize = CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020;
constexpr auto allocate = CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020;
constexpr auto driver_allocate = CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2;

// The functions for which CUPTI calls back.
std::set<std::pair<int, CUpti_CallbackId>> called_back;

// A listener that takes call stacks. call() passes calls to the listener, as CUPTI does.
struct CallingProgram {
  explicit CallingProgram(bool every_call = false) {
    called_back.clear();
    cupti.get_callback_name = test::real_cupti().get_callback_name;
    cupti.enable_callback = [](std::uint32_t enable, CUpti_SubscriberHandle,
                               CUpti_CallbackDomain domain, CUpti_CallbackId id) {
      if (enable != 0) {
        called_back.emplace(domain, id);
      } else {
        called_back.erase({domain, id});
      }
      return CUPTI_SUCCESS;
    };
    const std::array sources{Source::synchronization};
    listener.enable(nullptr, sources);
    answer = listener.enable_stacks(nullptr, stacks, every_call,
                                    [](auto, auto, std::string_view) { return true; });
  }

  std::uint32_t enter(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    CallData call(words.data(), ++correlation);
    Listener::callback()(&listener, domain, id, call.enter());
    longest_pause = std::max(longest_pause, StackCalls::Clock::now() - last_exit);
    return correlation;
  }
  void exit(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    CallData call(words.data(), correlation);
    last_exit = StackCalls::Clock::now();
    Listener::callback()(&listener, domain, id, call.exit());
  }
  std::uint32_t call(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    const std::uint32_t its = enter(domain, id);
    exit(domain, id);
    return its;
  }
  bool has_stack(std::uint32_t its) { return stacks.take(its).chain != 0; }
  bool is_on(CUpti_CallbackDomain domain, CUpti_CallbackId id) const {
    return called_back.contains({domain, id});
  }

  cupti::CuptiApi cupti = test::numbering_cupti();
  Listener listener{cupti};
  stacks::CallStacks stacks;
  CUptiResult answer = CUPTI_ERROR_UNKNOWN;
  std::array<std::uint64_t, 8> words{};
  std::uint32_t correlation = 0;
  StackCalls::Clock::time_point last_exit = StackCalls::Clock::now();
  // At least as long as the longest pause that StackCalls measured: each pause here begins before
  // the callback of an exit and ends after the callback of the next entry.
  StackCalls::Clock::duration longest_pause{};
};

// Runs `count` with a new program. On a busy machine, a thread may pause anywhere, and a call after
// a pause has a stack. So repeats this until a program runs without a pause between its calls.
// Returns the last result of `count`.
template <typename Count>
auto without_pauses(const Count& count) {
  for (;;) {
    CallingProgram program;
    program.call(runtime_api, synchronize);  // ends the pause since the last test case
    const auto counted = count(program);
    if (program.longest_pause < StackCalls::least_pause / 2) return counted;
  }
}

// Returns how many of 40 launches have a stack.
int stacks_of_launches(CallingProgram& program) {
  int stacks = 0;
  for (int i = 0; i < 40; ++i) {
    if (program.has_stack(program.call(runtime_api, launch))) ++stacks;
  }
  return stacks;
}

TEST_CASE("calls that can block have a stack, of launches the first ones", "[callbacks]") {
  CallingProgram program;
  CHECK(program.answer == CUPTI_SUCCESS);
  for (int i = 0; i < 40; ++i) {
    CHECK(program.has_stack(program.call(runtime_api, synchronize)));
    CHECK(program.has_stack(program.call(runtime_api, allocate)));
  }
  CHECK(without_pauses(stacks_of_launches) == 16);
}

TEST_CASE("a launch after a pause has a stack", "[callbacks]") {
  CallingProgram program;
  const auto launch_after = [&program](std::chrono::milliseconds pause) {
    std::this_thread::sleep_for(pause);
    return program.has_stack(program.call(runtime_api, launch));
  };
  // Launches until there was no pause before the launch.
  const auto launch_at_once = [&program] {
    for (;;) {
      program.longest_pause = {};
      const bool has_stack = program.has_stack(program.call(runtime_api, launch));
      if (program.longest_pause < StackCalls::least_pause / 2) return has_stack;
    }
  };
  for (int i = 0; i < 20; ++i) program.call(runtime_api, launch);
  CHECK_FALSE(launch_at_once());
  CHECK(launch_after(StackCalls::least_pause));
  CHECK_FALSE(launch_at_once());
  // A wait in a call is no pause.
  CHECK_FALSE(without_pauses([](CallingProgram& waiting) {
    for (int i = 0; i < 20; ++i) waiting.call(runtime_api, launch);
    waiting.enter(runtime_api, synchronize);
    std::this_thread::sleep_for(StackCalls::least_pause);
    waiting.exit(runtime_api, synchronize);
    return waiting.has_stack(waiting.call(runtime_api, launch));
  }));
}

TEST_CASE("a launch after a pause has no stack if less than half of the budget is left",
          "[callbacks]") {
  const auto is_done = [] {
    CallingProgram program;
    for (int i = 0; i < 20; ++i) program.call(runtime_api, launch);
    while (2 * program.stacks.capture_ns() <= StackCalls::captures_budget.most) {
      program.call(runtime_api, allocate);
    }
    // If a capture is interrupted for long, it uses up the whole budget.
    if (program.stacks.capture_ns() >= StackCalls::captures_budget.most) return false;
    StackCalls& calls = *program.listener.stack_calls();
    const auto launch_after_pause = [&program] {
      std::this_thread::sleep_for(StackCalls::least_pause);
      return program.has_stack(program.call(runtime_api, launch));
    };
    const auto now = StackCalls::Clock::now();
    calls.step(now);
    CHECK_FALSE(launch_after_pause());
    CHECK(program.has_stack(program.call(runtime_api, allocate)));
    calls.step(now + 10s);
    CHECK(launch_after_pause());
    return true;
  };
  while (!is_done()) {
  }
}

TEST_CASE("of launches, each capture has the first ones", "[callbacks]") {
  using Stacks = std::pair<int, int>;
  CHECK(without_pauses([](CallingProgram& program) {
          const int first = stacks_of_launches(program);
          program.listener.stack_calls()->switch_all(false);
          program.listener.stack_calls()->switch_all(true);
          return Stacks(first, stacks_of_launches(program));
        }) == Stacks(16, 16));
}

TEST_CASE("who wants all has all", "[callbacks]") {
  CallingProgram program(true);
  for (int i = 0; i < 100; ++i) CHECK(program.has_stack(program.call(runtime_api, launch)));
  CHECK_FALSE(program.listener.stack_calls()->has_budgets());
}

//   program   |-- cudaMalloc -----------|   |-- cuMemAlloc --|
//   runtime      |-- cuMemAlloc --|
TEST_CASE("the outer one of two calls has the stack", "[callbacks]") {
  CallingProgram program;
  for (const auto& [outer_id, inner_id] :
       {std::pair{allocate, driver_allocate}, {launch, driver_launch}}) {
    const std::uint32_t outer = program.enter(runtime_api, outer_id);
    const std::uint32_t inner = program.call(driver_api, inner_id);
    program.exit(runtime_api, outer_id);
    const std::uint32_t own = program.call(driver_api, inner_id);
    CHECK(program.has_stack(outer));
    CHECK_FALSE(program.has_stack(inner));
    CHECK(program.has_stack(own));
  }
}

TEST_CASE("what is called too often is listened to by turns", "[callbacks]") {
  CallingProgram program;
  StackCalls& calls = *program.listener.stack_calls();
  REQUIRE(calls.has_budgets());
  auto now = StackCalls::Clock::now() + 1s;
  calls.step(now);
  CHECK(program.is_on(runtime_api, launch));

  for (std::int64_t i = 0; i <= StackCalls::callbacks_budget.most; ++i)
    program.call(runtime_api, launch);
  calls.step(now += 1ms);
  CHECK_FALSE(program.is_on(runtime_api, launch));
  CHECK(program.is_on(driver_api, driver_launch));  // the program does not call it
  CHECK(program.is_on(runtime_api, synchronize));
  CHECK(program.is_on(runtime_api, allocate));

  calls.step(now += 100ms);
  CHECK_FALSE(program.is_on(runtime_api, launch));
  calls.step(now += 150ms);
  CHECK(program.is_on(runtime_api, launch));
}

TEST_CASE("inner calls use their function's budget up, too", "[callbacks]") {
  CallingProgram program;
  StackCalls& calls = *program.listener.stack_calls();
  for (std::int64_t i = 0; i <= StackCalls::callbacks_budget.most; ++i) {
    program.enter(runtime_api, launch);
    program.call(driver_api, driver_launch);
    program.exit(runtime_api, launch);
  }
  calls.step(StackCalls::Clock::now() + 1ms);
  CHECK_FALSE(program.is_on(runtime_api, launch));
  CHECK_FALSE(program.is_on(driver_api, driver_launch));
}

TEST_CASE("captures that have taken too long become samples", "[callbacks]") {
  CallingProgram program;
  StackCalls& calls = *program.listener.stack_calls();
  const auto stacks_of = [&program](std::int64_t count) {
    std::int64_t stacks = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      if (program.has_stack(program.call(runtime_api, allocate))) ++stacks;
    }
    return stacks;
  };
  auto now = StackCalls::Clock::now() + 1s;
  calls.step(now);
  while (program.stacks.capture_ns() <= StackCalls::captures_budget.most) {
    REQUIRE(stacks_of(1) == 1);
  }
  calls.step(now += 1ms);
  CHECK(program.is_on(runtime_api, allocate));
  CHECK(stacks_of(2048) == 16 + 1);
  calls.step(now += 4s);
  CHECK(stacks_of(100) == 100);
}

// CUPTI reports no exit of a call whose callback was disabled during the call.
TEST_CASE("a call without an end hides no events of the driver's functions", "[callbacks]") {
  CallingProgram program;
  program.enter(runtime_api, launch);
  program.call(driver_api, CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize);
  CHECK(program.listener.events().take().size() == 1);
}

using test::handle;

TEST_CASE("what can block or is rare has a stack each time", "[callbacks]") {
  for (const char* name : {"cudaDeviceSynchronize_v3020",
                           "cudaStreamSynchronize_ptsz_v7000",
                           "cuEventSynchronize",
                           "cuCtxSynchronize_v2",
                           "cudaMalloc_v3020",
                           "cuMemAlloc_v2",
                           "cudaFree_v3020",
                           "cudaHostAlloc_v3020",
                           "cudaFreeHost_v3020",
                           "cudaHostRegister_v4000",
                           "cuMemHostUnregister",
                           "cudaMemcpy_v3020",
                           "cuMemcpyDtoH_v2",
                           "cudaMemcpy2D_v3020",
                           "cudaMemset_v3020",
                           "cuModuleLoadDataEx",
                           "cuLibraryLoadData",
                           "cudaGraphInstantiateWithFlags_v11040",
                           "cuGraphInstantiateWithParams",
                           "cudaStreamCreateWithPriority_v5050",
                           "cudaEventCreateWithFlags_v3020",
                           "cuStreamCreate",
                           "cudaStreamDestroy_v5050",
                           "cudaStreamBeginCapture_v10000"}) {
    INFO(name);
    CHECK(stack_choice(name) == StackChoice::every);
  }
}

TEST_CASE("allocations in the order of a stream have a stack each time, too", "[callbacks]") {
  for (const char* name :
       {"cudaMallocAsync_v11020", "cudaMallocFromPoolAsync_v11020", "cudaFreeAsync_v11020",
        "cuMemAllocAsync", "cuMemAllocFromPoolAsync_ptsz", "cuMemFreeAsync"}) {
    INFO(name);
    CHECK(stack_choice(name) == StackChoice::every);
  }
}

TEST_CASE("calls of host functions have a stack each time", "[callbacks]") {
  for (const char* name :
       {"cudaLaunchHostFunc_v10000", "cuLaunchHostFunc_ptsz", "cudaStreamAddCallback_v5000"}) {
    INFO(name);
    CHECK(stack_choice(name) == StackChoice::every);
  }
}

TEST_CASE("of what issues work and returns, a sample has", "[callbacks]") {
  for (const char* name :
       {"cudaLaunchKernel_v7000", "cudaLaunchKernelExC_ptsz_v11060", "cuLaunchKernel_ptsz",
        "cudaMemcpyAsync_v3020", "cuMemcpyHtoDAsync_v2", "cudaMemsetAsync_v3020",
        "cudaGraphLaunch_v10000", "cuGraphLaunch", "cudaEventRecord_v3020",
        "cudaStreamWaitEvent_v3020", "cudaStreamQuery_v3020"}) {
    INFO(name);
    CHECK(stack_choice(name) == StackChoice::sample);
  }
}

TEST_CASE("what is cheap and waits for nothing has none", "[callbacks]") {
  for (const char* name :
       {"cudaGetLastError_v3020", "cudaGetDevice_v3020", "cuCtxGetCurrent", "cuGetProcAddress_v2",
        "cudaEventElapsedTime_v3020", "cudaPointerGetAttributes_v4000", "cudaSetDevice_v3020",
        "cudaFuncGetAttributes_v3020", "", "cu", "INVALID"}) {
    INFO(name);
    CHECK(stack_choice(name) == StackChoice::none);
  }
}

std::uint64_t sort_of_launch(std::uintptr_t kernel, std::uintptr_t stream) {
  cudaLaunchKernel_v7000_params params{};
  params.func = handle<const void*>(kernel);
  params.stream = handle<cudaStream_t>(stream);
  CallData call(&params, 1);
  return sort_of(sort_arguments("cudaLaunchKernel_v7000"), call.data());
}

std::uint64_t sort_of_launch_ex(std::uintptr_t kernel, std::uintptr_t stream) {
  cudaLaunchConfig_t config{};
  config.stream = handle<cudaStream_t>(stream);
  cudaLaunchKernelExC_v11060_params params{};
  params.config = &config;
  params.func = handle<const void*>(kernel);
  CallData call(&params, 1);
  return sort_of(sort_arguments("cudaLaunchKernelExC_v11060"), call.data());
}

std::uint64_t sort_of_copy(std::uintptr_t destination, std::uintptr_t stream) {
  cudaMemcpyAsync_v3020_params params{};
  params.dst = handle<void*>(destination);
  params.stream = handle<cudaStream_t>(stream);
  CallData call(&params, 1);
  return sort_of(sort_arguments("cudaMemcpyAsync_v3020"), call.data());
}

TEST_CASE("launches are told apart by their kernel and stream", "[callbacks]") {
  for (const auto sort : {sort_of_launch, sort_of_launch_ex}) {
    CHECK(sort(1, 2) == sort(1, 2));
    const std::set<std::uint64_t> sorts{sort(1, 2), sort(2, 1), sort(1, 3), sort(3, 2), sort(2, 2)};
    CHECK(sorts.size() == 5);
  }
}

TEST_CASE("copies are told apart by their stream", "[callbacks]") {
  CHECK(sort_of_copy(1, 2) == sort_of_copy(9, 2));
  CHECK(sort_of_copy(1, 2) != sort_of_copy(1, 3));
}

}  // namespace

}  // namespace lapscope::callbacks
