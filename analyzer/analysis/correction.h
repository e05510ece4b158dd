#pragma once

#include <vector>

#include "analyzer/analysis/resolve_scopes.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"
#include "analyzer/replay/without_recorder.h"

namespace lapscope::analyzer {

// The graph that causes and predictions are based on: without the recorder's own time where that is
// known (Context::costs), else as recorded.
class CorrectedGraph {
 public:
  // Makes the graph of the calls that started in `issued`: see build_graph(). Throws
  // TooManyToReplay.
  CorrectedGraph(const Context& context, Interval issued);

  const Graph& recorded() const { return recorded_; }
  const Graph& graph() const { return without_ ? *without_ : recorded_; }
  bool is_corrected() const { return without_.has_value(); }
  // What recording adds to the calls of either graph; empty where that is not known.
  const std::vector<Charge>& charges() const { return charges_; }
  Sources sources(const Context& context) const;

  // A scope of the recorded graph in the other one: its window moves.
  GraphScope corrected(GraphScope scope) const;

  // The correction of a scope, but for what came first.
  Correction correction(const Trace& trace, const ResolvedScope& resolved,
                        const GraphScope& recorded) const;

 private:
  void add_host_time(const Trace& trace, const ResolvedScope& resolved, const GraphScope& recorded,
                     Correction& correction) const;

  Graph recorded_;
  std::vector<Charge> charges_;
  std::string calibrated_;
  std::optional<double> factor_;
  std::optional<Graph> without_;
};

// Causes of scopes of a graph, and what the correction changed about them.
std::vector<CausesResult> corrected_causes(const Context& context, const CorrectedGraph& graph,
                                           const std::vector<const ResolvedScope*>& resolved,
                                           const std::vector<GraphScope>& recorded);

// Computes blame and critical path of a scope anew, by another graph than the one of the causes.
void describe_corrected_path(const Context& context, const CorrectedGraph& graph,
                             const ResolvedScope& resolved, CausesResult& result);

}  // namespace lapscope::analyzer
