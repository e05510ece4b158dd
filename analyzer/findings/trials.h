#pragma once

#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "analyzer/findings/places.h"
#include "analyzer/findings/predict.h"

namespace lapscope::analyzer {

// Each needs memory of its own, for the times of tasks and what it changes.
inline constexpr std::size_t replays_at_once = 4;

// What a fix that was tried does to each of the scopes.
struct Outcome {
  std::vector<Prediction> predicted;          // by scope
  std::set<std::string_view> stand_ins = {};  // of its replay
};

// Tries fixes on a graph, for all scopes at once. What is tried shares with the graph what it does
// not change, and keeps no times of tasks. All of it may be done by several threads at once.
class Trials {
 public:
  Trials(const Sources& sources, const std::vector<GraphScope>& scopes);

  // Empty when the fix is to be made where the data allow it, and they do nowhere.
  std::optional<Outcome> outcome_of(const FixRequest& request) const;

  // The graph with a fix at one end of what kernels share.
  Graph changed(const FixRequest& request, Sharing end) const;
  // The wall times of the scopes with such a graph's fix at one place alone; empty when it changes
  // nothing there.
  std::vector<std::int64_t> walls_at(const CodePlace& place, Cause cause, const Graph& changed,
                                     Sharing end) const;

 private:
  Sources at(Sharing end) const;

  Sources sources_;
  const std::vector<GraphScope>& scopes_;
  Graph most_;  // the graph at that end
};

}  // namespace lapscope::analyzer
