#include "analyzer/findings/predict.h"

#include <algorithm>

#include "analyzer/explain/places.h"
#include "analyzer/findings/edits_at.h"
#include "analyzer/graph/sharing.h"

namespace lapscope::analyzer {

namespace {

std::optional<Edits> made_everywhere(const FixRequest& request, const Sources& program) {
  if (!request.fix) return scale_engine(request.engine, request.value, program.graph);
  if (request.independence && request.fix->where_independent) {
    return request.fix->where_independent(program.trace, program.graph, *request.independence);
  }
  return request.fix->edits(program.trace, program.graph, request.value);
}

std::optional<Edits> made_at_site(const FixRequest& request, const Sources& program) {
  const std::optional<Edits> edits = made_everywhere(request, program);
  if (!edits) return std::nullopt;
  return edits_at(request.is_at, *edits, program, request.fix->cause);
}

Replayed run_of(const Graph& program, Predictor::Output output) {
  return output == Predictor::Output::all ? replay(program) : replay_tasks(program);
}

}  // namespace

std::optional<Edits> edits_of(const FixRequest& request, const Sources& program) {
  if (!request.fix || request.site.empty()) return made_everywhere(request, program);
  if (auto edits = made_at_site(request, program)) return edits;
  FixRequest everywhere = request;
  everywhere.independence = nullptr;
  auto edits = request.independence ? made_at_site(everywhere, program) : std::nullopt;
  if (!edits) throw NothingAtSite(request);
  return edits;
}

Sources Predictor::at(Sharing end) const {
  if (end == Sharing::least) return program_;
  std::call_once(has_most_, [this] {
    most_ = program_.graph;
    assume(Sharing::most, most_);
  });
  return {program_.trace, program_.host, most_};
}

Graph Predictor::edited_by(const std::vector<FixRequest>& requests, Sharing end) const {
  Graph program = at(end).graph;
  for (const FixRequest& request : requests) {
    if (&request != &requests.front()) program = rebased(program, replay(program));
    const auto edits = edits_of(request, {program_.trace, program_.host, program});
    if (edits) program = edited(*edits);
  }
  return program;
}

bool Predictor::is_in_doubt(const Replayed& most) const {
  return (most.is_in_doubt || most.last_waves_ns > 0) && program_.graph.sharing == Sharing::least;
}

// `most`: the program at Sharing::most, after the edits of all requests.
PredictedRun Predictor::run(Graph most, const std::vector<FixRequest>& requests,
                            Output output) const {
  PredictedRun run{std::move(most), {}, std::nullopt};
  run.most = run_of(run.program, output);
  if (is_in_doubt(run.most)) run.least = run_of(edited_by(requests, Sharing::least), output);
  run.prompt = promptly_.run(run.program, run.most);
  return run;
}

PredictedRun Predictor::run(const std::vector<FixRequest>& requests, Output output) const {
  return run(edited_by(requests, Sharing::most), requests, output);
}

std::optional<PredictedRun> Predictor::run(const FixRequest& request) const {
  const auto edits = edits_of(request, at(Sharing::most));
  if (!edits) return std::nullopt;
  return run(edited(*edits), {request}, Output::tasks);
}

// Returns the replay with the longer wall time. This is usually run.most, because kernels slow each
// other down more with Sharing::most. But Sharing::least assumes more work for kernels that ran
// side by side in the recording. If a fix separates such kernels, run.least may take longer.
const Replayed& longer_end(const GraphScope& scope, const PredictedRun& run) {
  const bool is_least = run.least && wall_of(scope, *run.least) > wall_of(scope, run.most);
  return is_least ? *run.least : run.most;
}

Prediction predict(const Graph& graph, const GraphScope& scope, const PredictedRun& run) {
  const Replayed& longest = longer_end(scope, run);
  Prediction prediction;
  prediction.longer = &longest == &run.most ? Sharing::most : Sharing::least;
  const bool is_of_last_waves = !graph.is_in_doubt && run.most.in_doubt_ns < run.most.last_waves_ns;
  prediction.doubt = is_of_last_waves ? Doubt::last_wave : Doubt::sharing;
  prediction.wall_ns = wall_of(scope, longest);
  prediction.least_wall_ns = run.least
                                 ? std::min(wall_of(scope, run.most), wall_of(scope, *run.least))
                                 : prediction.wall_ns;
  if (run.prompt) {
    const Ns shared = prediction.wall_ns - prediction.least_wall_ns;
    const Ns least = wall_of(scope, *run.prompt);
    if (prediction.wall_ns - least > shared) {
      prediction.least_wall_ns = least;
      prediction.doubt = Doubt::unexplained;
    }
  }
  const Ns sum = sum_of(scope, longest);
  if (sum > 0) {
    prediction.overlap_ratio =
        1 - static_cast<double>(prediction.wall_ns) / static_cast<double>(sum);
  }
  return prediction;
}

Changed changed_by(const std::vector<FixRequest>& requests) {
  Changed changed;
  for (const FixRequest& request : requests) {
    if (!request.fix) {
      changed.special = NotValidated::faster_engine;
      continue;
    }
    changed.fixes.push_back(request.fix->cause);
    if (!request.site.empty()) changed.special = NotValidated::one_site;
  }
  return changed;
}

}  // namespace lapscope::analyzer
