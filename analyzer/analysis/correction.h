#pragma once

#include <vector>

#include "analyzer/analysis/resolve_scopes.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"
#include "analyzer/replay/without_recorder.h"

namespace lapscope::analyzer {

// Returns the size of a replay: the number of ops that were issued in an interval, or half the
// number of calls that began in it, whichever is larger. AnalyzeOptions::most_replayed limits it.
std::size_t size_of_replay(const Trace& trace, Interval issued);

// The graph that causes and predictions come from. It does not contain the recorder's own time, if
// that time is known (Context::costs).
class CorrectedGraph {
 public:
  // Builds the graph of the calls that started in `issued` (see build_graph()). Throws
  // TooManyToReplay.
  CorrectedGraph(const Context& context, Interval issued);

  const Graph& recorded() const { return recorded_; }
  const Graph& graph() const { return without_ ? *without_ : recorded_; }
  bool is_corrected() const { return without_.has_value(); }
  // The time that recording adds to each call, by step. Empty if that time is not known.
  const std::vector<Charge>& charges() const { return charges_; }
  Sources sources(const Context& context) const;

  // Returns `scope` with the window that its tasks have in graph().
  GraphScope corrected(GraphScope scope) const;

  // Returns the correction of a scope. Leaves Correction::first_recorded and first_corrected unset.
  Correction correction(const Trace& trace, const ResolvedScope& resolved,
                        const GraphScope& recorded) const;

 private:
  void add_host_time(const Trace& trace, const ResolvedScope& resolved, const GraphScope& recorded,
                     Correction& correction) const;

  Graph recorded_;
  std::vector<Charge> charges_;
  std::string calibrated_;
  std::optional<double> factor_;
  std::optional<double> iterations_error_;
  std::optional<Graph> without_;
};

// Returns the causes and the correction of each scope in `resolved`. `recorded` has the scopes of
// `resolved` in the recorded graph, in the same order.
std::vector<CausesResult> corrected_causes(const Context& context, const CorrectedGraph& graph,
                                           const std::vector<const ResolvedScope*>& resolved,
                                           const std::vector<GraphScope>& recorded);

// Sets the blame and the critical path in `result` to those of `graph`. Keeps the findings in
// `result`.
void describe_corrected_path(const Context& context, const CorrectedGraph& graph,
                             const ResolvedScope& resolved, CausesResult& result);

}  // namespace lapscope::analyzer
