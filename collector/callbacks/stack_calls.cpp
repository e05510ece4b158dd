#include "collector/callbacks/stack_calls.h"

#include <algorithm>

#include "collector/process/thread_number.h"

namespace lapscope::callbacks {
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
  if (every_call_ || (function.choice == StackChoice::every && !is_scarce)) {
    stacks_.capture(call.correlationId);
  } else {
    stacks_.sample(call.correlationId, sort_of(function.sorts, call) ^ stacks::mixed(at),
                   is_scarce);
  }
}

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

}  // namespace lapscope::callbacks
