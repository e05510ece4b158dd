#pragma once

#include <map>
#include <optional>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"
#include "analyzer/host_time/partition.h"
#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

// What threads did between their calls, scope by scope: those that issued its ops, while its NVTX
// ranges were open, in its window, or from the first call that issued an op of it to the last.
// Refers to the context. Nothing where it is not recorded what threads did.
class HostTimes {
 public:
  explicit HostTimes(const Context& context);

  // Adds it to every scope, and the measures that depend on it.
  void add_to(std::vector<DeviceResult>& devices) const;

  // Null where it is not recorded what threads did.
  const HostPartition* partition() const { return partition_ ? &*partition_ : nullptr; }

  bool lists_stacks() const { return partition_ && context_.options.host_stacks; }
  // Stacks in a part of the scope's time, by thread (Calls::threads).
  using TimesByThread = std::map<std::uint32_t, IntervalSet>;
  std::vector<HostStack> stacks_while(const ResolvedScope& scope, const TimesByThread& when) const;

 private:
  const Context& context_;
  std::optional<HostPartition> partition_;
};

}  // namespace lapscope::analyzer
