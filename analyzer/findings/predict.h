#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/fix_request.h"
#include "analyzer/findings/graph_scope.h"
#include "analyzer/findings/prompt_run.h"
#include "analyzer/replay/replay.h"

namespace lapscope::analyzer {

// How many replays run at once. Each replay needs its own memory, for its times and its changes.
inline constexpr std::size_t replays_at_once = 4;

// Thrown if a fix changes nothing at the requested places.
class NothingAtSite : public std::exception {
 public:
  explicit NothingAtSite(FixRequest made) : request(std::move(made)) {}
  const char* what() const noexcept override { return "a fix changes nothing at its site"; }

  FixRequest request;
};

// Returns the edits of a request.
// - Without a site: all edits, or those that the data allow (FixRequest::independence). Returns
//   nullopt if the data allow none.
// - With a site: the edits at the site, whatever the data allow. Throws NothingAtSite if there are
//   none.
std::optional<Edits> edits_of(const FixRequest& request, const Sources& program);

// The replays of an edited program: two, if the trace does not show how much concurrent kernels
// slow each other down (Sharing).
struct PredictedRun {
  Graph program;                  // at Sharing::most
  Replayed most;                  // at Sharing::most
  std::optional<Replayed> least;  // at Sharing::least; absent if it would be the same
  // The replay without some of the unexplained delays (Promptly). Absent if these delays are short.
  std::optional<Replayed> prompt = std::nullopt;
};

// Replays edited programs. An edited program shares its unchanged columns with the original
// program. Several threads may call any member function at once.
class Predictor {
 public:
  explicit Predictor(const Sources& program) : program_(program), promptly_(program.graph) {}

  // Returns the program in which each kernel has the demand that `end` selects. The result has
  // references to this Predictor.
  Sources at(Sharing end) const;

  // Returns the program after all requests. Each request edits the run that the previous requests
  // produce.
  Graph edited_by(const std::vector<FixRequest>& requests, Sharing end) const;

  // With Output::tasks, the replays have no times of steps, and need less memory.
  enum class Output : std::uint8_t { all, tasks };
  PredictedRun run(const std::vector<FixRequest>& requests, Output output = Output::all) const;
  // Returns the replays for one request. Returns nullopt if edits_of() does.
  std::optional<PredictedRun> run(const FixRequest& request) const;

 private:
  PredictedRun run(Graph most, const std::vector<FixRequest>& requests, Output output) const;
  // Whether a replay at Sharing::least is needed as well. It is not needed if the program comes
  // from a replay at Sharing::most (rebased()).
  bool is_in_doubt(const Replayed& most) const;

  Sources program_;
  Promptly promptly_;
  mutable std::once_flag has_most_;
  mutable Graph most_;
};

// Returns run.most or run.least: the replay with the longer wall time of the scope.
const Replayed& longer_end(const GraphScope& scope, const PredictedRun& run);

// Returns the prediction for one scope. `graph` is the program before or after the edit.
// graph.is_in_doubt decides Prediction::doubt.
Prediction predict(const Graph& graph, const GraphScope& scope, const PredictedRun& run);

Changed changed_by(const std::vector<FixRequest>& requests);

}  // namespace lapscope::analyzer
