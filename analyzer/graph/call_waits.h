#pragma once

#include <map>
#include <utility>
#include <vector>

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {

CallKind kind_of(const ConstraintContext& context, std::uint32_t step);

// ended_within() returns whether a task ended during a call. ended_after() returns whether the task
// ended after the call. Both allow for assumed::clock_tolerance.
bool ended_within(const Times& times, std::uint32_t step, std::uint32_t task);
bool ended_after(const Times& times, std::uint32_t step, std::uint32_t task);

// Finds the tasks that a call waited for. The call must be of a kind that waits for all work of a
// context. There is one instance for each cause.
class ContextWaits {
 public:
  explicit ContextWaits(const ConstraintContext& context) : context_(context) {}

  // For each stream of a context, returns the last tasks at the time of a call. `context`: as in
  // Walk::contexts_of(). Suppose that the thread made an earlier call of this kind, and that no
  // work of the context was running at the end of that call. Streams without new work since that
  // call are then left out.
  std::vector<std::uint32_t> of_context(const Walk& walk, std::uint32_t step,
                                        std::uint32_t context) {
    return context_at(walk, step, context).tasks;
  }

  // cudaFree, cudaFreeHost, cudaHostUnregister and the loading of modules can wait for all work of
  // a device. No record shows the wait or its device. This is the evidence that a call waited:
  enum class Evidence {
    nothing_went_on,  // all work issued before the call had ended when the call returned
    something_ended,  // for calls that do not always wait: something ended during the call
  };
  // Returns the tasks that a call waited for. If earlier work of a device ended after the call, the
  // call did not wait for this device. In this case, the call waited for another device only if
  // work of that device ended during the call.
  //
  //   thread    (cudaFree).
  //   device 0  AAAAAAAA...    A ended during the call: the call waited for device 0,
  //   device 1  BBBBBBBBBBB    but not for device 1
  //
  // Returns nothing if the call waited for nothing.
  std::optional<std::vector<std::uint32_t>> of_hidden_wait(const Walk& walk, std::uint32_t step,
                                                           Evidence evidence);

 private:
  struct Context {
    std::vector<std::uint32_t> tasks;
    bool runs_on = false;  // some work of the context ended after the call
    bool ended = false;    // some work of the context ended during the call
  };
  Context context_at(const Walk& walk, std::uint32_t step, std::uint32_t context);

  const ConstraintContext context_;
  // The key is a thread (its first step) and a context. The value is Walk::now() at the thread's
  // latest call of this kind that ended while no work of the context was running. Later calls of
  // the thread do not wait for work from before that call. This is also true after a fix, because a
  // fix keeps the order of a thread's calls.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> done_;
};

// Makes the constraint for calls of `kind`. Records do not show whether these calls waited. So
// ContextWaits::of_hidden_wait() infers it.
std::unique_ptr<CallConstraint> hidden_wait(const ConstraintContext& context, CallKind kind,
                                            ContextWaits::Evidence evidence);

// Whether a call is cudaMemcpy, cudaMemcpyAsync or a variant of these.
bool is_copy(const ConstraintContext& context, std::uint32_t step);

// Whether one of a call's copies is from or to pageable memory.
bool copies_pageable(const ConstraintContext& context, std::uint32_t step);

// Whether a call copies a value (Task::is_value) to pageable memory. Such a call returns when the
// value has arrived.
bool reads_value(const ConstraintContext& context, std::uint32_t step);

// Returns the copies of a call that had ended when the call returned.
std::vector<std::uint32_t> copies_ended(const ConstraintContext& context, std::uint32_t step);

// Returns the tasks that a copy call waited for. The call must be one that returns when its copy is
// done or nearly done. The tasks are the copies that had ended when the call returned. There is one
// exception: if no copy had ended, but the task before the copies in their stream ended during the
// call, the call waited for that task. The reason is that the driver could not take the data
// earlier.
std::vector<std::uint32_t> ends_of_copy_call(const ConstraintContext& context, std::uint32_t step);

}  // namespace lapscope::analyzer
