#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/explain/clues.h"
#include "analyzer/explain/code_place.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// An instance of what a finding is about, to be looked up in a timeline.
struct Evidence {
  Interval waiting;          // from when the op could have started to when it did
  Interval op_interval;      // when the op ran
  std::string op;            // kernel name, or "copy h2d"
  std::uint32_t stream = 0;  // its id
  Doing blocked_by;          // what delayed it
  Interval holder;           // when that ran
  std::string call;          // that issued the op; empty when not in the trace
  std::string thread;        // of that call, as "thread 4711"
  std::string range;         // the innermost NVTX range of that call; may be empty
  std::string line = {};     // of that call, as CallSite::line; empty when not known
};

// A place in the program that a finding is about: what delayed ops, and where that came from.
struct CallSite {
  Doing what;
  std::string range;  // the innermost NVTX range around it, digits as *; empty when in none
  std::int64_t occurrences = 0;  // ops that it delayed
  Ns waited_ns = 0;              // for how long at least one of them waited
  // The saving of the scope's wall time, with the finding's fix made at this place alone. Absent
  // where this was not replayed: few ops waited there, or for little.
  std::optional<Ns> saving_ns;
  // The threads that made the calls there, as "thread 4711", by name; empty when no call is in the
  // trace.
  std::vector<std::string> threads = {};
  // As src/pipeline.cu:120, or what else is known of where in the program it is (place_of); of host
  // code between calls, of the call behind it. Empty without call stacks.
  std::string line = {};
  std::string caller = {};             // the line that calls that one, if there are several
  std::vector<StackFrame> stack = {};  // of most of these calls, innermost frame first
  // Where the frames belong to the backward pass, and the operator of the forward pass is known
  // that they belong to: the stack of that operator, whose line is the site's.
  std::vector<StackFrame> forward_stack = {};
  std::optional<NamelessCode> nameless = std::nullopt;  // where the line is an address alone
  Clues clues = {};  // of most of the time waited there, and of its line

  // The stack that has the site's line.
  const std::vector<StackFrame>& shown_stack() const {
    return forward_stack.empty() ? stack : forward_stack;
  }
};

// The places behind tasks that a cause delayed, most waiting first; and the longest waits one by
// one.
std::vector<CallSite> sites_of(const Sources& sources, Cause cause, const BlockedTasks& blocked);
std::vector<Evidence> longest_waits(const Sources& sources, Cause cause,
                                    const BlockedTasks& blocked, std::size_t most);

}  // namespace lapscope::analyzer
