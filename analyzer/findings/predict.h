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

// Each needs memory of its own, for the times of tasks and what it changes.
inline constexpr std::size_t replays_at_once = 4;

// A fix changes nothing at the places that it was asked for.
class NothingAtSite : public std::exception {
 public:
  explicit NothingAtSite(FixRequest made) : request(std::move(made)) {}
  const char* what() const noexcept override { return "a fix changes nothing at its site"; }

  FixRequest request;
};

// What a request changes of a program. Nothing where it is to be made where the data allow it, and
// they do nowhere. Throws NothingAtSite.
std::optional<Edits> edits_of(const FixRequest& request, const Sources& program);

// A run of an edited program, at both ends of what kernels beside each other may share.
struct PredictedRun {
  Graph program;                  // at Sharing::most
  Replayed most;                  // kernels share all that their multiprocessors have
  std::optional<Replayed> least;  // they share what the trace shows; absent where that is the same
  // Delays that nothing explains end with what is taken away; absent where that is next to nothing.
  std::optional<Replayed> prompt = std::nullopt;
};

// Predicts what edited programs do: the only way to a prediction. What is tried shares with the
// program what it does not change. All of it may be done by several threads at once.
class Predictor {
 public:
  explicit Predictor(const Sources& program) : program_(program), promptly_(program.graph) {}

  // The program at one end of what its kernels may share. Edits are made of it, and refer to it.
  Sources at(Sharing end) const;

  // The program with the requests made, in this order, each of what is left after the one before.
  Graph edited_by(const std::vector<FixRequest>& requests, Sharing end) const;

  // Their run; where steps need no times, in less memory.
  enum class Output : std::uint8_t { all, tasks };
  PredictedRun run(const std::vector<FixRequest>& requests, Output output = Output::all) const;
  // Likewise of one; nothing where there are no edits of it.
  std::optional<PredictedRun> run(const FixRequest& request) const;

 private:
  PredictedRun run(Graph most, const std::vector<FixRequest>& requests, Output output) const;
  // Whether the other end is to be asked for: what was rebased at the one end has no other.
  bool is_in_doubt(const Replayed& most) const;

  Sources program_;
  Promptly promptly_;
  mutable std::once_flag has_most_;
  mutable Graph most_;
};

// At which of its ends the scope takes longer.
const Replayed& longer_end(const GraphScope& scope, const PredictedRun& run);

// What one scope would take then. `graph` has its tasks on the engines that they run on.
Prediction predict(const Graph& graph, const GraphScope& scope, const PredictedRun& run);

// What was asked for, in the form that predictions have it.
Changed changed_by(const std::vector<FixRequest>& requests);

}  // namespace lapscope::analyzer
