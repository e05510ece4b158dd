#include "collector/callbacks/stack_calls.h"

#include <algorithm>

#include "collector/process/thread_number.h"

namespace lapscope::callbacks {
CUptiResult StackCalls::enable(CUpti_SubscriberHandle subscriber, const Accepts& is_recorded,
                               const Accepts& is_heard) {
  if (!cupti_.enable_callback || !cupti_.get_callback_name) return CUPTI_ERROR_NOT_SUPPORTED;
  subscriber_ = subscriber;
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
      if ((is_sampled && is_heard_already) || limited_count_ == most_limited) continue;
      function.is_limited = true;
      function.is_switched = is_sampled;
      function.number = static_cast<std::uint16_t>(limited_count_);
      Limited& limited = limited_[limited_count_++];
      limited.domain = domain;
      limited.id = id;
      limited.is_switched = is_sampled;
      limited.left = (is_sampled ? callbacks_budget : stacks_budget).most;
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
  bool is_within = true;
  if (function.is_limited) {
    Lane& lane = lanes_[process::thread_number() % lanes_.size()];
    lane.calls[function.number].fetch_add(1, std::memory_order_relaxed);
    is_within = limited_[function.number].is_within.load(std::memory_order_relaxed);
  }
  if (is_inner) return;
  if (every_call_ || (function.choice == StackChoice::every && is_within)) {
    stacks_.capture(call.correlationId);
  } else {
    stacks_.sample(call.correlationId, sort_of(function.sorts, call) ^ stacks::mixed(at));
  }
}

void StackCalls::switch_all(bool on) noexcept {
  for (const auto domain : {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API}) {
    for (CUpti_CallbackId id = 1; id < ids; ++id) {
      if (functions_[place(domain, id)].is_own) {
        cupti_.enable_callback(on ? 1 : 0, subscriber_, domain, id);
      }
    }
  }
  switched_off_.fetch_add(1, std::memory_order_release);
  last_step_ = Clock::now();
  for (std::size_t number = 0; number < limited_count_; ++number) {
    Limited& one = limited_[number];
    one.left = (one.is_switched ? callbacks_budget : stacks_budget).most;
    one.counted = calls_of(number);
    one.is_within.store(true, std::memory_order_relaxed);
  }
}

std::int64_t StackCalls::calls_of(std::size_t number) const noexcept {
  std::int64_t calls = 0;
  for (const Lane& lane : lanes_) calls += lane.calls[number].load(std::memory_order_relaxed);
  return calls;
}

void StackCalls::step(Clock::time_point now) noexcept {
  const double seconds = std::chrono::duration<double>(now - last_step_).count();
  if (every_call_ || seconds <= 0) return;
  last_step_ = now;
  for (std::size_t number = 0; number < limited_count_; ++number) {
    Limited& one = limited_[number];
    const Budget& budget = one.is_switched ? callbacks_budget : stacks_budget;
    const auto refill =
        static_cast<std::int64_t>(seconds * static_cast<double>(budget.refill_per_second));
    const std::int64_t calls = calls_of(number);
    one.left = std::min(budget.most, one.left + refill) - (calls - one.counted);
    one.counted = calls;
    const bool before = one.is_within.load(std::memory_order_relaxed);
    const bool is_within = before ? one.left > 0 : one.left >= budget.least;
    if (is_within == before) continue;
    const CUptiResult result =
        one.is_switched ? cupti_.enable_callback(is_within ? 1 : 0, subscriber_, one.domain, one.id)
                        : CUPTI_SUCCESS;
    if (result != CUPTI_SUCCESS) continue;
    one.is_within.store(is_within, std::memory_order_relaxed);
    if (one.is_switched && !is_within) switched_off_.fetch_add(1, std::memory_order_release);
  }
}

}  // namespace lapscope::callbacks
