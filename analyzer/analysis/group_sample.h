#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "analyzer/analysis/host_time_of_scope.h"
#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"
#include "analyzer/excerpt/excerpt.h"

namespace lapscope::analyzer {

// The causes and gaps of a scope.
struct Explained {
  std::optional<CausesResult> causes;  // empty if the graph has no op of the scope
  GapsResult gaps;
  // For each thread, the times in which the critical path waited for work that the thread did
  // between two calls. Set only if the options ask for stacks.
  HostTimes::TimesByThread host_waits = {};
  std::vector<KernelInputs> inputs = {};  // as ScopeResult::inputs
};

// A sample of a group of scopes whose graph would be too large. The sample is an excerpt of the
// trace. It has each scope of the group, reduced to the ops of the excerpt. The analysis explains
// these smaller scopes instead of the whole scopes. It tries fixes on a run that consists only of
// the excerpt. Then it scales the savings up to the whole scopes.
class GroupSample {
 public:
  // Returns a sample of `group`. Returns null if the analysis explains the group without a sample.
  static std::unique_ptr<GroupSample> of(const Context& whole, ScopeGroup group);

  const Context& context() const { return *context_; }
  ScopeGroup group() const { return context_->scopes; }

  // Scales the times and counts of the sample up to the whole group. `found` has a result for each
  // scope of the sample. `measured` has the measures and gaps of each scope of the whole group.
  // Returns a result for each scope of the whole group.
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
