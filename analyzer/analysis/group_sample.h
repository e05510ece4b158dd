#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "analyzer/analysis/host_time_of_scope.h"
#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"
#include "analyzer/excerpt/excerpt.h"

namespace lapscope::analyzer {

struct Explained {
  std::optional<CausesResult> causes;  // empty if the graph has no op of the scope
  GapsResult gaps;
  // By thread: the times in which the critical path waited for the thread's work between two calls.
  // Set only if the options ask for stacks.
  HostTimes::TimesByThread host_waits = {};
  std::vector<KernelInputs> inputs = {};  // as ScopeResult::inputs
};

// An excerpt of the trace. It stands for a group of scopes whose graph would be too large. The
// analysis explains the part of each scope in the excerpt, and tries fixes in the excerpt.
// stands_for() scales the savings up to the whole scopes.
class GroupSample {
 public:
  // Returns null if the group is small enough to be explained without a sample, or if the trace
  // allows no sample.
  static std::unique_ptr<GroupSample> of(const Context& whole, ScopeGroup group);

  const Context& context() const { return *context_; }
  ScopeGroup group() const { return context_->scopes; }

  // Scales the times and counts of results from the sample up to the whole group. `found` has the
  // result of each scope of the sample. `measured` has the measured values of each scope of the
  // whole group. The returned results are in the order of `measured`.
  std::vector<Explained> stands_for(const std::vector<const ScopeResult*>& measured,
                                    std::vector<Explained> found) const;

 private:
  GroupSample(const Context& whole, ScopeGroup group, const std::vector<Interval>& stretches);

  void scale(const ScopeResult& measured, const ResolvedScope& sampled, Explained& one) const;

  const Context& whole_;
  Excerpt excerpt_;
  std::vector<std::size_t> in_group_;  // by scope of the sample: index in the group
  std::optional<Context> context_;     // of the excerpt
};

}  // namespace lapscope::analyzer
