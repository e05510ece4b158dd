#pragma once

#include <map>
#include <optional>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"
#include "analyzer/host_time/partition.h"
#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

// Finds what host threads did between their CUDA calls, for each scope. Considers the threads that
// issued the scope's ops. The time considered depends on the scope:
// - for NVTX ranges, the time in which the ranges were open;
// - for a window, the window;
// - for any other scope, the time from the first to the last call that issued an op of the scope.
//
// Keeps a reference to the context. Does nothing if the trace does not record what threads did.
class HostTimes {
 public:
  explicit HostTimes(const Context& context);

  // Adds the host time, and the measures that depend on it, to the result of every scope.
  void add_to(std::vector<DeviceResult>& devices) const;

  // Returns null if the trace does not record what threads did.
  const HostPartition* partition() const { return partition_ ? &*partition_ : nullptr; }

  bool lists_stacks() const { return partition_ && context_.options.host_stacks; }
  using TimesByThread = std::map<std::uint32_t, IntervalSet>;  // by index in Calls::threads
  // Returns the call stacks that threads had at the times in `when`. Leaves out times that add_to()
  // does not consider for `scope`.
  std::vector<HostStack> stacks_while(const ResolvedScope& scope, const TimesByThread& when) const;

 private:
  const Context& context_;
  std::optional<HostPartition> partition_;
};

}  // namespace lapscope::analyzer
