#pragma once

#include <map>
#include <utility>
#include <vector>

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {

CallKind kind_of(const ConstraintContext& context, std::uint32_t step);

// Whether a task ended while a call lasted, and whether it went on after it.
bool ended_within(const Times& times, std::uint32_t step, std::uint32_t task);
bool ended_after(const Times& times, std::uint32_t step, std::uint32_t task);

// What a call waits for that waits for all work of a context. One for each cause.
class ContextWaits {
 public:
  explicit ContextWaits(const ConstraintContext& context) : context_(context) {}

  // `context`: a number that Walk knows.
  std::vector<std::uint32_t> of_context(const Walk& walk, std::uint32_t step,
                                        std::uint32_t context) {
    return context_at(walk, step, context).tasks;
  }

  // cudaFree, cudaFreeHost, cudaHostUnregister, the loading of modules: they wait for all work of a
  // device, and no record says so, nor which device. The evidence is
  enum class Evidence {
    nothing_went_on,  // that nothing issued before went on beyond the call,
    something_ended,  // or, of those that do not always wait, that something ended while it lasted.
  };
  // The latter of a single device counts for both when others went on.
  //
  //   thread    (cudaFree).
  //   device 0  AAAAAAAA...    ended within the call: it waited for this one,
  //   device 1  BBBBBBBBBBB    and not for that one
  //
  // Nothing when it waited for nothing.
  std::optional<std::vector<std::uint32_t>> of_hidden_wait(const Walk& walk, std::uint32_t step,
                                                           Evidence evidence);

 private:
  struct Context {
    std::vector<std::uint32_t> tasks;
    bool runs_on = false;  // after the call
    bool ended = false;    // something of it, while the call lasted
  };
  Context context_at(const Walk& walk, std::uint32_t step, std::uint32_t context);

  const ConstraintContext context_;
  // Up to when all of a context had ended when such a call of a thread returned: by the thread's
  // first step and the context. A later call of the thread for the same reason comes after that
  // one, whatever is changed, and need not name what that one waited for.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> done_;
};

// Calls of a kind that wait so.
std::unique_ptr<CallConstraint> hidden_wait(const ConstraintContext& context, CallKind kind,
                                            ContextWaits::Evidence evidence);

// cudaMemcpy, cudaMemcpyAsync and their like.
bool is_copy(const ConstraintContext& context, std::uint32_t step);

// Whether one of a call's copies is from or to pageable memory.
bool copies_pageable(const ConstraintContext& context, std::uint32_t step);

// Whether a call copies a value to pageable memory (Task::is_value): it returns when the value is
// there.
bool reads_value(const ConstraintContext& context, std::uint32_t step);

// The copies of a call that had ended when it returned.
std::vector<std::uint32_t> copies_ended(const ConstraintContext& context, std::uint32_t step);

// What a call waited for that returns when its copy is done, or at least on its way: the copies; or
// where they went on, what came before them in their stream and ended while the call lasted. The
// data were taken over then, which that had delayed.
std::vector<std::uint32_t> ends_of_copy_call(const ConstraintContext& context, std::uint32_t step);

}  // namespace lapscope::analyzer
