#pragma once

#include <map>
#include <utility>
#include <vector>

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {

CallKind kind_of(const ConstraintContext& context, std::uint32_t step);

// Whether a task ended during a call (ended_within()), or after the call (ended_after()). A task
// that ended at most assumed::clock_tolerance after the call counts as ended during the call.
bool ended_within(const Times& times, std::uint32_t step, std::uint32_t task);
bool ended_after(const Times& times, std::uint32_t step, std::uint32_t task);

// Finds the tasks that a call waited for. The call must be of a kind that waits for all work of a
// context. Each cause has its own instance, which handles only the calls of this cause.
class ContextWaits {
 public:
  explicit ContextWaits(const ConstraintContext& context) : context_(context) {}

  // Returns the last tasks that were issued to each stream of a context before a call. `context` is
  // a number from Walk::contexts_of(). If no work of the context ran at the end of an earlier call
  // of the thread (with the same cause), leaves out the streams without new work since that call.
  std::vector<std::uint32_t> of_context(const Walk& walk, std::uint32_t step,
                                        std::uint32_t context) {
    return context_at(walk, step, context).tasks;
  }

  // cudaFree, cudaFreeHost, cudaHostUnregister and loads of modules can wait for a device. No
  // record shows the wait. The evidence for such a wait:
  enum class Evidence {
    nothing_went_on,  // all work issued before the call had ended when the call returned
    something_ended,  // for calls that do not always wait: something ended during the call
  };
  // Returns the tasks that a call waited for. If work that was issued to a device before the call
  // ended after the call, the call did not wait for this device. In this case, the call waited for
  // another device only if work of that other device ended during the call.
  //
  //   thread    (cudaFree).
  //   device 0  AAAAAAAA...    A ended during the call: the call waited for device 0,
  //   device 1  BBBBBBBBBBB    but not for device 1
  //
  // Returns nullopt if the call waited for nothing.
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
  // The key is a thread (its first step) and a context. The value is Walk::now() at the latest call
  // of the thread at whose end no work of the context ran. Later calls of the thread do not wait
  // for work that was issued before this call. This is also true after a fix, because a fix keeps
  // the order of a thread's calls.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> done_;
};

// Makes a constraint for the calls of `kind`. No record shows whether such a call waited, so the
// constraint infers the waits with ContextWaits::of_hidden_wait().
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

// For calls that return when their copy is done or nearly done. Returns the tasks that the call
// waited for: its copies that had ended when it returned. If none had ended, but the task before
// them in their stream ended during the call, returns that task: the driver could not begin to copy
// before that task had ended.
std::vector<std::uint32_t> ends_of_copy_call(const ConstraintContext& context, std::uint32_t step);

}  // namespace lapscope::analyzer
