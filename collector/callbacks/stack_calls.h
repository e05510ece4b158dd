#pragma once

#include <cupti.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

#include "collector/cupti/cupti_api.h"
#include "collector/stacks/call_stacks.h"

namespace lapscope::callbacks {

// For which calls of a function the stack is captured.
enum class StackChoice : std::uint8_t {
  none,
  every,   // the function can block, or is rare
  sample,  // the function issues work and returns
};

// Returns the choice for a function. `callback_name` is its name in CUPTI, such as
// cudaLaunchKernel_v7000.
StackChoice stack_choice(std::string_view callback_name);

// Positions of the arguments that sort_of() reads; see argument() in arguments.h.
struct SortArguments {
  static constexpr std::int8_t none = -1;
  std::int8_t subject_word = none;  // kernel, executable graph
  std::int8_t stream_word = none;
  bool has_configuration = false;  // the first argument is a configuration with the stream
};
SortArguments sort_arguments(std::string_view callback_name);

// Returns a hash of three things: the thread, the kernel or graph, and the stream of a call. For
// sampling, two calls of a function are of the same sort if their hashes are equal.
std::uint64_t sort_of(const SortArguments& where, const CUpti_CallbackData& call);

// Decides which functions have callbacks for their stacks, and when.
//
// A callback makes each call of its function some 100 ns longer. The capture of a stack takes 3 to
// 50 us. Two kinds of budgets, which refill with time, limit this cost:
// - Each function with StackChoice::sample has a budget of calls. While it is exhausted, the
//   function's callback is disabled, unless events need this callback.
// - All captures together have a budget of time. While it is exhausted, functions with
//   StackChoice::every are sampled, too, and all samples are rarer (Sampler::one_in_if_scarce).
//
// A call after a pause of its thread also has a stack, as long as at least half of the budget of
// time is left. Host samples of the pause belong to the line of this call.
class StackCalls {
 public:
  using Clock = std::chrono::steady_clock;
  struct Budget {
    std::int64_t most;  // also the initial budget
    std::int64_t refill_per_second;
    std::int64_t least;  // the budget at which the restriction ends
  };
  static constexpr Budget callbacks_budget{5'000, 10'000, 2'000};             // calls
  static constexpr Budget captures_budget{10'000'000, 5'000'000, 2'000'000};  // ns
  static constexpr std::chrono::milliseconds between_steps{20};
  // In PyTorch, a capture after a pause takes about 45 us, which is 1 % of the shortest pause
  // (research/collector-cost.md).
  static constexpr std::chrono::milliseconds least_pause{5};

  // With `every_call`, the stack of every call is captured, and no callback is disabled.
  StackCalls(const cupti::CuptiApi& cupti, stacks::CallStacks& stacks, bool every_call)
      : cupti_(cupti), stacks_(stacks), every_call_(every_call) {}

  using Accepts = std::function<bool(CUpti_CallbackDomain, CUpti_CallbackId, std::string_view)>;
  // Enables the callbacks of the functions that `is_recorded` accepts. `is_heard` accepts functions
  // whose callbacks are already enabled. If CUPTI refuses the callback of a function, the function
  // has no stacks. Returns success if at least one function can have stacks, else CUPTI's last
  // error.
  CUptiResult enable(CUpti_SubscriberHandle subscriber, const Accepts& is_recorded,
                     const Accepts& is_heard);

  // Enables or disables the callbacks that enable() has enabled. Enabling them also refills all
  // budgets, and restarts the sampling of all functions. Call it in the thread that calls step().
  void switch_all(bool on) noexcept;

  // Returns whether the callback of the function is only used to capture stacks. Such a callback is
  // disabled while the function's budget is exhausted.
  bool is_switched(CUpti_CallbackDomain domain, CUpti_CallbackId id) const noexcept {
    return id < ids && functions_[place(domain, id)].is_switched;
  }

  // Handles the entry of a call. `is_inner` marks a driver function that was called by a runtime
  // function. Only the call of the runtime function gets a stack.
  void on_enter(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call,
                bool is_inner) noexcept;

  // Handles the exit of a call that can block, so that its wait is no pause of the thread.
  static void on_exit() noexcept;

  // Refills the budgets, and enables and disables callbacks accordingly. While has_budgets() is
  // true, call it every `between_steps`, always in the same thread.
  void step(Clock::time_point now) noexcept;
  bool has_budgets() const noexcept { return !every_call_; }
  // Returns how many times a callback was disabled. If this number changes during a call, CUPTI may
  // not report the exit of the call.
  std::uint32_t switched_off() const noexcept {
    return switched_off_.load(std::memory_order_acquire);
  }

 private:
  static constexpr CUpti_CallbackId ids = 1201;  // ids of one API; see inject/api_calls.cpp
  static constexpr std::size_t most_switched = 512;

  struct Function {
    StackChoice choice = StackChoice::none;
    SortArguments sorts;
    bool is_switched = false;
    bool is_own = false;       // no other code has enabled its callback
    std::uint16_t number = 0;  // index in switched_, if is_switched
  };
  // What is left of a budget. Only the thread that calls step() has access to an Account.
  struct Account {
    std::int64_t left = 0;
    std::int64_t counted = 0;
    bool is_within = true;

    // Adds the refill for `seconds`, and subtracts what was used since the last update(). `used` is
    // the total so far. Returns whether `is_within` has changed.
    bool update(const Budget& budget, double seconds, std::int64_t used) noexcept;
  };
  // A function whose callback is disabled while its budget is exhausted.
  struct Switched {
    CUpti_CallbackDomain domain = CUPTI_CB_DOMAIN_INVALID;
    CUpti_CallbackId id = 0;
    Account calls;
  };
  // The number of calls of each function. Threads are spread over several lanes, so that they
  // rarely write to the same cache line.
  struct alignas(64) Lane {
    std::array<std::atomic<std::uint32_t>, most_switched> calls{};
  };

  static std::size_t place(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    return (domain == CUPTI_CB_DOMAIN_RUNTIME_API ? 0 : ids) + id;
  }
  std::int64_t calls_of(std::size_t number) const noexcept;

  const cupti::CuptiApi& cupti_;
  stacks::CallStacks& stacks_;
  const bool every_call_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  std::array<Function, std::size_t{2} * ids> functions_;
  std::array<Lane, 16> lanes_;
  std::array<Switched, most_switched> switched_;
  std::size_t switched_count_ = 0;
  Account captures_;
  std::atomic<bool> is_scarce_{false};  // the budget of captures is exhausted
  std::atomic<bool> has_spare_{true};   // at least half of the budget of captures is left
  std::atomic<std::uint32_t> switched_off_{0};
  Clock::time_point last_step_{};
};

}  // namespace lapscope::callbacks
