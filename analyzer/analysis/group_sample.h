#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "analyzer/analysis/host_time_of_scope.h"
#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"
#include "analyzer/excerpt/excerpt.h"

namespace lapscope::analyzer {

// What is known of a scope with its causes.
struct Explained {
  std::optional<CausesResult> causes;  // empty where no op of it is in a graph
  GapsResult gaps;
  // While the critical path waited for code of a thread between calls; where stacks are asked for.
  HostTimes::TimesByThread host_waits = {};
};

// A sample of a group of scopes whose graph would be too large: an excerpt of the trace, and the
// scopes in it, which are explained instead. Fixes are tried on a run that consists of these
// intervals alone. What they save there stands for a saving in proportion of the whole.
class GroupSample {
 public:
  // Nothing where the group is explained as it is.
  static std::unique_ptr<GroupSample> of(const Context& whole, ScopeGroup group);

  const Context& context() const { return *context_; }
  ScopeGroup group() const { return context_->scopes; }

  // What was found in the sample, in times and figures of the whole, by scope of the whole's group.
  // `measured`: what is known of those scopes.
  std::vector<Explained> stands_for(const std::vector<const ScopeResult*>& measured,
                                    std::vector<Explained> found) const;

 private:
  GroupSample(const Context& whole, ScopeGroup group, const std::vector<Interval>& stretches);

  void scale(const ScopeResult& measured, const ResolvedScope& sampled, Explained& one) const;

  const Context& whole_;
  Excerpt excerpt_;
  std::vector<std::size_t> in_group_;  // by scope of the sample
  std::optional<Context> context_;     // of the excerpt
};

}  // namespace lapscope::analyzer
