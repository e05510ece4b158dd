#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/explain/clues.h"
#include "analyzer/explain/code_place.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// An op that the cause of a finding delayed. All times are recorded times, as in a timeline.
struct Evidence {
  Interval waiting;          // from the time when the op could have started to its start
  Interval op_interval;      // when the op ran
  std::string op;            // kernel name, or "copy h2d"
  std::uint32_t stream = 0;  // its id
  Doing blocked_by;          // what delayed the op
  Interval holder;           // the time of the work that delayed the op
  std::string call;          // the call that issued the op; empty when not in the trace
  std::string thread;        // the thread of this call, as "thread 4711"
  std::string range;         // the innermost NVTX range of this call; may be empty
  std::string line = {};     // the line of this call, as CallSite::line; empty when not known
};

// A place in the program at which a finding's cause delays ops.
struct CallSite {
  Doing what;
  std::string range;  // the innermost NVTX range around it, digits as *; empty if there is none
  std::int64_t occurrences = 0;  // the number of ops that were delayed here
  Ns waited_ns = 0;              // time in which at least one of these ops waited
  // The saving if the fix is made only here. Absent if few ops waited here, if they waited only for
  // a short time, or if the fix changes nothing here.
  std::optional<Ns> saving_ns;
  // The threads that called here, as "thread 4711", by name. Empty if no such call is in the trace.
  std::vector<std::string> threads = {};
  // The line, such as src/pipeline.cu:120, or else the function or module (place_of). For host code
  // between two calls, the line of the second call. Empty without call stacks.
  std::string line = {};
  std::string caller = {};  // the caller of `line`, if `line` has several callers
  // Of all call stacks at this place, the call stack with the longest waiting of ops. The innermost
  // frame comes first.
  std::vector<StackFrame> stack = {};
  // The call stack of the forward operator if `stack` is of the backward pass; otherwise empty. If
  // not empty, `line` is a line of `forward_stack`.
  std::vector<StackFrame> forward_stack = {};
  std::optional<NamelessCode> nameless = std::nullopt;  // if `line` is an address only
  Clues clues = {};  // from `stack`, `range`, `line`, and most of the waiting

  // The stack that has the site's line.
  const std::vector<StackFrame>& shown_stack() const {
    return forward_stack.empty() ? stack : forward_stack;
  }
};

// sites_of() returns the places that delayed the tasks in `blocked`. The place with the longest
// waiting comes first. longest_waits() returns the `most` longest waits of single tasks.
std::vector<CallSite> sites_of(const Sources& sources, Cause cause, const BlockedTasks& blocked);
std::vector<Evidence> longest_waits(const Sources& sources, Cause cause,
                                    const BlockedTasks& blocked, std::size_t most);

}  // namespace lapscope::analyzer
