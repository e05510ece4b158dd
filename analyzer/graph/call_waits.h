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
  // an index from Walk::contexts_of(). Let E be the thread's last earlier call that returned while
  // no work of the context was running (done_). The result leaves out streams that were not used
  // after E.
  std::vector<std::uint32_t> of_context(const Walk& walk, std::uint32_t step,
                                        std::uint32_t context) {
    return context_at(walk, step, context).tasks;
  }

  // cudaFree, cudaFreeHost, cudaHostUnregister and loads of modules can wait for a device. No
  // record shows such a wait. The evidence for the wait is one of these facts:
  enum class Evidence {
    nothing_went_on,  // no work from before the call was running when the call returned
    something_ended,  // for calls that do not always wait: earlier work ended during the call
  };
  // Returns the tasks that a call waited for; nullopt if there are none. Considers the work that
  // was issued to each context of the process before the call:
  // - Some of this work ended after the call: the call did not wait for the context.
  // - Otherwise, some of this work ended during the call: the call waited for the context.
  // - All of this work had ended before the call: with Evidence::something_ended, the call did not
  //   wait for the context. With Evidence::nothing_went_on, the call is assumed to wait for the
  //   context, unless work of another context ended after the call.
  //
  //   thread     (cudaFree).
  //   context 0  AAAAAAAA...    A ended during the call: the call waited for context 0,
  //   context 1  BBBBBBBBBBB    but not for context 1
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
  // latest call that returned while the context was idle. Later calls of the thread need not wait
  // for work that was issued before that call. This stays true after a fix, because a fix keeps the
  // order of a thread's calls.
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

// Returns the copies of a call, except those that ended after the call (ended_after()).
std::vector<std::uint32_t> copies_ended(const ConstraintContext& context, std::uint32_t step);

// Returns the tasks that a copy call waited for. The call must be of a kind that returns when its
// copy is done or nearly done.
// - If copies of the call ended before it returned, the call waited for them (copies_ended()).
// - Otherwise, it may have waited until its first copy could begin: until the end of the task P
//   ahead of this copy in the stream. Returns P if P ended during the call.
std::vector<std::uint32_t> ends_of_copy_call(const ConstraintContext& context, std::uint32_t step);

}  // namespace lapscope::analyzer
