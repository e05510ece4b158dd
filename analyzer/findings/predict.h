#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/graph/critical_path.h"

namespace lapscope::analyzer {

// A fix to predict for, or an engine to make faster.
struct FixRequest {
  const Fix* fix = nullptr;  // or, when null, `engine` scaled by `value`
  Engine engine = Engine::compute;
  double value = 0;  // see Fix::argument; 0 when none was given
  // Makes it only at places that this pattern means (is_meant); everywhere when empty.
  std::string site = {};
  // Makes it only where these show that the data allow it (see Fix::apply_shown); everywhere when
  // null.
  const Tiles* shown = nullptr;
};

// Makes a fix everywhere, or where the trace shows that the data allow it: returns whether they do
// anywhere.
bool make(const FixRequest& request, const Trace& trace, Graph& graph);

// A fix changes nothing at the places that it was asked for.
class NothingAtSite : public std::exception {
 public:
  explicit NothingAtSite(FixRequest asked) : request(std::move(asked)) {}
  const char* what() const noexcept override { return "a fix changes nothing at its site"; }

  FixRequest request;
};

// The graph with the fixes made, in this order, with kernels that share what is said. Throws
// NothingAtSite.
Graph with_fixes(const Sources& sources, const std::vector<FixRequest>& requests, Sharing end);

// A run with something changed, at both ends of what kernels beside each other may share.
struct PredictedRun {
  Replayed most;                  // they share all that their multiprocessors have
  std::optional<Replayed> least;  // they share what the trace shows; absent where that is the same

  // Whether the other end of a change to `graph` is to be asked for: what was rebased at the one
  // end has no other.
  bool is_in_doubt(const Graph& graph) const {
    return (most.is_in_doubt || most.last_waves_ns > 0) && graph.sharing == Sharing::least;
  }
};
// `changed` is made of `graph`.
PredictedRun replay_both(const Graph& graph, const std::function<Graph(Sharing)>& changed);

// At which of its ends the scope takes longer.
const Replayed& longer_end(const GraphScope& scope, const PredictedRun& run);

// What one scope would take then. `graph` has its tasks on the engines that they run on.
Prediction predict(const Graph& graph, const GraphScope& scope, const PredictedRun& run);

// What was asked for, as predictions tell it.
Changed changed_by(const std::vector<FixRequest>& requests);

}  // namespace lapscope::analyzer
