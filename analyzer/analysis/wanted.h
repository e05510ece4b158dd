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

// The ranges that the options name, by name, on all devices that they caused work on; whole devices
// under an empty name when none are named.
std::map<std::string, std::vector<Wanted>> wanted_scopes(const Context& context);

}  // namespace lapscope::analyzer
