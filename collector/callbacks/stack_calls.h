#pragma once

#include <cupti.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

#include "collector/callbacks/stack_functions.h"
#include "collector/cupti/cupti_api.h"
#include "collector/stacks/call_stacks.h"

namespace lapscope::callbacks {

// Which functions are listened to for their stacks, and when.
//
// A callback costs each call of its function some 100 ns, whether or not its stack is taken, and a
// stack some microseconds. So functions have budgets of calls, which time refills. While a budget
// is used up, a sampled function has no callback, if nothing else listens to it; and a function
// whose every call is to have its stack is sampled.
class StackCalls {
 public:
  using Clock = std::chrono::steady_clock;
  struct Budget {
    std::int64_t most;  // calls; what a function begins with
    std::int64_t refill_per_second;
    std::int64_t least;  // with which it is as before
  };
  static constexpr Budget callbacks_budget{20'000, 10'000, 2'000};
  static constexpr Budget stacks_budget{5'000, 2'000, 400};
  static constexpr std::chrono::milliseconds between_steps{20};

  // With `every_call` nothing is sampled, and nothing switched off.
  StackCalls(const cupti::CuptiApi& cupti, stacks::CallStacks& stacks, bool every_call)
      : cupti_(cupti), stacks_(stacks), every_call_(every_call) {}

  using Accepts = std::function<bool(CUpti_CallbackDomain, CUpti_CallbackId, std::string_view)>;
  // Listens to the functions that `is_recorded` names; `is_heard` names those whose callbacks are
  // enabled already. Returns CUPTI's first refusal, or success; a function that it refuses has no
  // stacks.
  CUptiResult enable(CUpti_SubscriberHandle subscriber, const Accepts& is_recorded,
                     const Accepts& is_heard);

  // Has the callbacks that enable() has enabled made, with whole budgets, or none of them. By the
  // thread that calls step().
  void switch_all(bool on) noexcept;

  // Whether the function is listened to for its stacks alone, and not all the time.
  bool is_switched(CUpti_CallbackDomain domain, CUpti_CallbackId id) const noexcept {
    return id < ids && functions_[place(domain, id)].is_switched;
  }

  // At the entry of a call. `is_inner`: a function of the driver that one of the runtime calls,
  // which has the stack.
  void on_enter(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call,
                bool is_inner) noexcept;

  // Looks at budgets; to be called each `between_steps` by one thread, while has_budgets().
  void step(Clock::time_point now) noexcept;
  bool has_budgets() const noexcept { return !every_call_ && limited_count_ > 0; }
  // How often callbacks were switched off: the end of a call that began before is not heard.
  std::uint32_t switched_off() const noexcept {
    return switched_off_.load(std::memory_order_acquire);
  }

 private:
  static constexpr CUpti_CallbackId ids = 1201;  // of one API: see inject/api_calls.cpp
  static constexpr std::size_t most_limited = 512;

  struct Function {
    StackChoice choice = StackChoice::none;
    SortArguments sorts;
    bool is_switched = false;
    bool is_limited = false;
    bool is_own = false;       // no other code has enabled its callback
    std::uint16_t number = 0;  // among the limited ones
  };
  // A function with a budget.
  struct Limited {
    CUpti_CallbackDomain domain = CUPTI_CB_DOMAIN_INVALID;
    CUpti_CallbackId id = 0;
    bool is_switched = false;
    std::atomic<bool> is_within{true};
    std::int64_t left = 0;
    std::int64_t counted = 0;
  };
  // Calls counted by threads that do not meet, nearly.
  struct alignas(64) Lane {
    std::array<std::atomic<std::uint32_t>, most_limited> calls{};
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
  std::array<Limited, most_limited> limited_;
  std::size_t limited_count_ = 0;
  std::atomic<std::uint32_t> switched_off_{0};
  Clock::time_point last_step_{};
};

}  // namespace lapscope::callbacks
