#include "collector/callbacks/stack_calls.h"

#include <algorithm>

namespace lapscope::callbacks {
namespace {

std::size_t lane_of_this_thread() {
  static std::atomic<std::size_t> threads{0};
  static thread_local const std::size_t lane = threads.fetch_add(1, std::memory_order_relaxed);
  return lane;
}

}  // namespace

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
      if (choice != StackChoice::sample || is_heard_already || switched_count_ == most_switched) {
        continue;
      }
      function.is_switched = true;
      function.number = static_cast<std::uint16_t>(switched_count_);
      switched_[switched_count_++] = {domain, id, true};
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
    Lane& lane = lanes_[lane_of_this_thread() % lanes_.size()];
    lane.calls[function.number].fetch_add(1, std::memory_order_relaxed);
  }
  if (is_inner) return;
  if (function.choice == StackChoice::every || every_call_) {
    stacks_.capture(call.correlationId);
  } else {
    stacks_.sample(call.correlationId, sort_of(function.sorts, call) ^ stacks::mixed(at));
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
  const auto refill = static_cast<std::int64_t>(seconds * refill_per_second);
  for (std::size_t number = 0; number < switched_count_; ++number) {
    Switched& one = switched_[number];
    const std::int64_t calls = calls_of(number);
    one.left = std::min(budget, one.left + refill) - (calls - one.counted);
    one.counted = calls;
    const bool wanted = one.is_on ? one.left > 0 : one.left >= least_budget;
    if (wanted == one.is_on) continue;
    const CUptiResult result =
        cupti_.enable_callback(wanted ? 1 : 0, subscriber_, one.domain, one.id);
    if (result == CUPTI_SUCCESS) one.is_on = wanted;
  }
}

}  // namespace lapscope::callbacks
