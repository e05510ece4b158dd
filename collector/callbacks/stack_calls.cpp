#include "collector/callbacks/stack_calls.h"

#include <cuda.h>
#include <driver_types.h>

#include <algorithm>
#include <cstddef>

#include "collector/callbacks/arguments.h"
#include "collector/process/clock.h"
#include "collector/process/thread_number.h"
#include "collector/stacks/own_memory.h"

namespace lapscope::callbacks {
namespace {

// Beginnings of function names, without "cuda" or "cu". `every` is searched first, because
// "LaunchHostFunc" begins with "Launch", which is in `sampled`. The tables leave out cudaSetDevice
// and cudaFuncGetAttributes, because programs call them very often. Only the first calls of these
// two functions may take long, because they may create a context or load a module.
constexpr std::string_view every[] = {
    "LaunchHostFunc",
    "StreamAddCallback",
    "EventCreate",
    "StreamCreate",
    "StreamDestroy",
    "StreamBeginCapture",
    "StreamEndCapture",
    "GraphInstantiate",
    "GraphExecUpdate",
    "GraphUpload",
    "ModuleLoad",
    "ModuleUnload",
    "LibraryLoad",
    "LibraryUnload",
    "LinkComplete",
    "CtxCreate",
    "CtxDestroy",
    "DevicePrimaryCtxRetain",
    "DevicePrimaryCtxReset",
    "DeviceReset",
    "DeviceSetLimit",
    "CtxSetLimit",
    "DeviceEnablePeerAccess",
    "CtxEnablePeerAccess",
    "InitDevice",
    "HostAlloc",
    "HostRegister",
    "HostUnregister",
    "MemHostAlloc",
    "MemHostRegister",
    "MemHostUnregister",
    "MemCreate",
    "MemRelease",
    "MemMap",
    "MemUnmap",
    "MemSetAccess",
    "MemGetInfo",
    "MemPoolCreate",
    "MemPoolDestroy",
    "MemPoolTrimTo",
    "MemAdvise",
    "ArrayCreate",
    "ArrayDestroy",
    "Memcpy",
    "Memset",
};

constexpr std::string_view sampled[] = {"Launch",           "GraphLaunch",      "EventRecord",
                                        "EventQuery",       "StreamQuery",      "StreamWait",
                                        "StreamWriteValue", "StreamBatchMemOp", "MemPrefetch"};

// These beginnings also match the stream-ordered functions: MallocAsync, MallocFromPoolAsync,
// MemFreeAsync and so on.
constexpr std::string_view allocations[] = {"Malloc", "Free", "MemAlloc", "MemFree"};

std::string_view base_of(std::string_view callback_name) {
  return callback_name.substr(0, callback_name.find('_'));
}

std::string_view without_api(std::string_view base) {
  for (const std::string_view api : {"cuda", "cu"}) {
    if (base.starts_with(api)) return base.substr(api.size());
  }
  return {};
}

struct NamedArguments {
  std::string_view base;
  SortArguments where;
};

constexpr NamedArguments named_arguments[] = {
    {"cudaLaunchKernel", {0, 6}},
    {"cudaLaunchCooperativeKernel", {0, 6}},
    {"cudaLaunchKernelExC", {1, SortArguments::none, true}},
    {"cuLaunchKernel", {0, 5}},
    {"cuLaunchCooperativeKernel", {0, 5}},
    {"cuLaunchKernelEx", {1, SortArguments::none, true}},
    {"cudaGraphLaunch", {0, 1}},
    {"cuGraphLaunch", {0, 1}},
    {"cudaMemcpyAsync", {SortArguments::none, 4}},
    {"cudaMemsetAsync", {SortArguments::none, 3}},
    {"cuMemcpyAsync", {SortArguments::none, 3}},
    {"cuMemcpyHtoDAsync", {SortArguments::none, 3}},
    {"cuMemcpyDtoHAsync", {SortArguments::none, 3}},
    {"cuMemcpyDtoDAsync", {SortArguments::none, 3}},
    {"cudaEventRecord", {SortArguments::none, 1}},
    {"cuEventRecord", {SortArguments::none, 1}},
    {"cudaStreamWaitEvent", {SortArguments::none, 0}},
    {"cuStreamWaitEvent", {SortArguments::none, 0}},
    {"cudaStreamQuery", {SortArguments::none, 0}},
    {"cuStreamQuery", {SortArguments::none, 0}},
};

// The time (CLOCK_MONOTONIC, ns) at which the calling thread last called a function that has a
// callback. Also updated when a function that can block returns. 0 before the first call.
thread_local std::int64_t last_call = 0;

// Returns the time since `last_call`, and sets it to now.
std::chrono::nanoseconds since_last_call() noexcept {
  const std::int64_t now = process::read_clock(CLOCK_MONOTONIC);
  const std::chrono::nanoseconds since(last_call == 0 ? 0 : now - last_call);
  last_call = now;
  return since;
}

// The position of the stream in the launch configurations of both APIs.
constexpr std::size_t stream_in_configuration = 4;  // words
static_assert(offsetof(cudaLaunchConfig_t, stream) == stream_in_configuration * sizeof(void*));
static_assert(offsetof(CUlaunchConfig, hStream) == stream_in_configuration * sizeof(void*));

}  // namespace

CUptiResult StackCalls::enable(CUpti_SubscriberHandle subscriber, const Accepts& is_recorded,
                               const Accepts& is_heard) {
  if (!cupti_.enable_callback || !cupti_.get_callback_name) return CUPTI_ERROR_NOT_SUPPORTED;
  subscriber_ = subscriber;
  captures_.left = captures_budget.most;
  last_step_ = Clock::now();
  CUptiResult answer = CUPTI_ERROR_NOT_SUPPORTED;
  for (const auto domain : {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API}) {
    for (CUpti_CallbackId id = 1; id < ids; ++id) {
      const char* name = nullptr;
      if (cupti_.get_callback_name(domain, id, &name) != CUPTI_SUCCESS || !name) continue;
      const StackChoice choice = stack_choice(name);
      if (choice == StackChoice::none || !is_recorded(domain, id, name)) continue;
      const bool is_heard_already = is_heard(domain, id, name);
      const CUptiResult result =
          is_heard_already ? CUPTI_SUCCESS : cupti_.enable_callback(1, subscriber, domain, id);
      if (answer != CUPTI_SUCCESS) answer = result;
      if (result != CUPTI_SUCCESS) continue;
      Function& function = functions_[place(domain, id)];
      function.choice = choice;
      function.sorts = sort_arguments(name);
      function.is_own = !is_heard_already;
      const bool is_sampled = choice == StackChoice::sample;
      if (!is_sampled || is_heard_already || switched_count_ == most_switched) continue;
      function.is_switched = true;
      function.number = static_cast<std::uint16_t>(switched_count_);
      Switched& switched = switched_[switched_count_++];
      switched.domain = domain;
      switched.id = id;
      switched.calls.left = callbacks_budget.most;
    }
  }
  return answer;
}

void StackCalls::on_enter(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                          const CUpti_CallbackData& call, bool is_inner) noexcept {
  if (id >= ids) return;
  const std::size_t at = place(domain, id);
  const Function& function = functions_[at];
  if (function.choice == StackChoice::none) return;
  if (function.is_switched) {
    Lane& lane = lanes_[process::thread_number() % lanes_.size()];
    lane.calls[function.number].fetch_add(1, std::memory_order_relaxed);
  }
  if (is_inner) return;
  const bool is_scarce = is_scarce_.load(std::memory_order_relaxed);
  const bool is_after_pause =
      since_last_call() >= least_pause && has_spare_.load(std::memory_order_relaxed);
  if (every_call_ || is_after_pause || (function.choice == StackChoice::every && !is_scarce)) {
    stacks_.capture(call.correlationId);
  } else {
    stacks_.sample(call.correlationId, sort_of(function.sorts, call) ^ stacks::mixed(at),
                   is_scarce);
  }
}

void StackCalls::on_exit() noexcept { last_call = process::read_clock(CLOCK_MONOTONIC); }

void StackCalls::switch_all(bool on) noexcept {
  if (on) stacks_.reset_samples();
  for (const auto domain : {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API}) {
    for (CUpti_CallbackId id = 1; id < ids; ++id) {
      if (functions_[place(domain, id)].is_own) {
        cupti_.enable_callback(on ? 1 : 0, subscriber_, domain, id);
      }
    }
  }
  switched_off_.fetch_add(1, std::memory_order_release);
  last_step_ = Clock::now();
  for (std::size_t number = 0; number < switched_count_; ++number) {
    switched_[number].calls = {callbacks_budget.most, calls_of(number)};
  }
  captures_ = {captures_budget.most, stacks_.capture_ns()};
  is_scarce_.store(false, std::memory_order_relaxed);
  has_spare_.store(true, std::memory_order_relaxed);
}

std::int64_t StackCalls::calls_of(std::size_t number) const noexcept {
  std::int64_t calls = 0;
  for (const Lane& lane : lanes_) calls += lane.calls[number].load(std::memory_order_relaxed);
  return calls;
}

bool StackCalls::Account::update(const Budget& budget, double seconds, std::int64_t used) noexcept {
  const auto refill =
      static_cast<std::int64_t>(seconds * static_cast<double>(budget.refill_per_second));
  left = std::min(budget.most, left + refill) - (used - counted);
  counted = used;
  const bool before = is_within;
  is_within = before ? left > 0 : left >= budget.least;
  return is_within != before;
}

void StackCalls::step(Clock::time_point now) noexcept {
  const double seconds = std::chrono::duration<double>(now - last_step_).count();
  if (every_call_ || seconds <= 0) return;
  last_step_ = now;
  captures_.update(captures_budget, seconds, stacks_.capture_ns());
  is_scarce_.store(!captures_.is_within, std::memory_order_relaxed);
  has_spare_.store(2 * captures_.left >= captures_budget.most, std::memory_order_relaxed);
  for (std::size_t number = 0; number < switched_count_; ++number) {
    Switched& one = switched_[number];
    if (!one.calls.update(callbacks_budget, seconds, calls_of(number))) continue;
    const bool is_on = one.calls.is_within;
    const CUptiResult result =
        cupti_.enable_callback(is_on ? 1 : 0, subscriber_, one.domain, one.id);
    if (result != CUPTI_SUCCESS) {
      one.calls.is_within = !is_on;  // the next step tries again
    } else if (!is_on) {
      switched_off_.fetch_add(1, std::memory_order_release);
    }
  }
}

StackChoice stack_choice(std::string_view callback_name) {
  const std::string_view name = without_api(base_of(callback_name));
  if (name.empty()) return StackChoice::none;
  if (name.find("Synchronize") != std::string_view::npos) return StackChoice::every;
  const auto begins_with = [name](std::string_view begin) { return name.starts_with(begin); };
  if (std::ranges::any_of(allocations, begins_with)) return StackChoice::every;
  if (name.find("Async") != std::string_view::npos) return StackChoice::sample;
  if (std::ranges::any_of(every, begins_with)) return StackChoice::every;
  return std::ranges::any_of(sampled, begins_with) ? StackChoice::sample : StackChoice::none;
}

SortArguments sort_arguments(std::string_view callback_name) {
  const auto* found =
      std::ranges::find(named_arguments, base_of(callback_name), &NamedArguments::base);
  return found == std::end(named_arguments) ? SortArguments{} : found->where;
}

std::uint64_t sort_of(const SortArguments& where, const CUpti_CallbackData& call) {
  std::uint64_t sort = process::thread_number();
  if (!call.functionParams) return sort;
  const auto word = [&call](std::int8_t at) {
    return argument<std::uint64_t>(call, static_cast<std::uint8_t>(at));
  };
  if (where.subject_word != SortArguments::none) {
    sort = stacks::mixed(sort ^ word(where.subject_word));
  }
  if (where.stream_word != SortArguments::none) {
    sort = stacks::mixed(sort + word(where.stream_word));
  }
  if (where.has_configuration) {
    if (const auto* configuration = argument<const std::uint64_t*>(call, 0)) {
      sort = stacks::mixed(sort + configuration[stream_in_configuration]);
    }
  }
  return sort;
}

}  // namespace lapscope::callbacks
