#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/analysis/judge.h"

namespace lapscope::analyzer {

// A scope of one device whose causes are wanted, and where they go.
struct Wanted {
  std::uint16_t device = 0;  // in Trace::devices
  Scope scope;
  ScopeResult* result = nullptr;  // may be null
};

// When the calls that issued the scopes' ops were made.
Interval issue_of(const Trace& trace, const std::vector<Wanted>& wanted);

// What a graph of them is to be of: all, when they are whole devices; else the same.
Interval issue_to_explain(const Context& context, bool are_ranges,
                          const std::vector<Wanted>& wanted);

// As issue_of, for windows that were asked for, which may begin with idle time: from the call
// before, of each of these threads, that was made last before the window.
Interval issue_of_windows(const Trace& trace, const std::vector<Wanted>& wanted);

// The ranges and brackets that the options name, by name, on all devices that they caused work on;
// under an empty name, when none are named, the window that was asked for, or whole devices.
std::map<std::string, std::vector<Wanted>> wanted_scopes(const Context& context);

}  // namespace lapscope::analyzer
