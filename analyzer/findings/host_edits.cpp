#include "analyzer/findings/host_edits.h"

#include <algorithm>

#include "analyzer/explain/places.h"
#include "analyzer/findings/predict.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/replay/replay.h"

namespace lapscope::analyzer {

HostEdit edit_for(HostKind kind) {
  switch (kind) {
    case HostKind::data_loading:
      return HostEdit::many_elsewhere;
    case HostKind::dispatch:
    case HostKind::optimizer:
      return HostEdit::launch_as_graph;
    case HostKind::process_wait:
    case HostKind::lock:
      return HostEdit::half_the_wait;
    case HostKind::user:
    case HostKind::other:
    case HostKind::unknown:
      return HostEdit::one_elsewhere;
    case HostKind::garbage_collection:
    case HostKind::logging_and_io:
    case HostKind::sleep:
      break;
  }
  return HostEdit::leave_out;
}

HostEdits::HostEdits(const Sources& program, const GraphScope& scope)
    : program_(program),
      scope_(scope),
      all_(fix_for(Cause::host_compute)->edits(program.trace, program.graph, 0)),
      promptly_(program.graph) {}

std::optional<Prediction> HostEdits::predict(const HostWorkAt& work, Ns wall_ns) const {
  const Edits edits = partly(work.shares);
  if (edits.steps.empty()) return std::nullopt;
  PredictedRun run{edited(edits), {}, std::nullopt};
  if (edit_for(work.kind) == HostEdit::launch_as_graph) {
    const Times times = replay(run.program);
    run.program = rebased(std::move(run.program), times);
    Places places(program_, Cause::host_compute);
    const auto share_of = [&](std::uint32_t step) {
      const auto share = work.calls.find(places[places.of_gap(step)].line);
      return share == work.calls.end() ? 0.0 : share->second;
    };
    run.program = edited(launch_in_graphs(program_.trace, run.program, share_of));
  }
  run.most = replay_tasks(run.program);
  run.prompt = promptly_.run(run.program, run.most);
  Prediction predicted = analyzer::predict(program_.graph, scope_, run);
  const Ns least = std::min(least_wall(work, wall_ns), wall_ns);
  predicted.least_wall_ns = std::max(predicted.least_wall_ns, std::min(least, predicted.wall_ns));
  if (predicted.wall_ns >= least) return predicted;
  const Ns sum = sum_of(scope_, run.most);
  const bool is_shared = edit_for(work.kind) == HostEdit::one_elsewhere;
  const Ns least_shared = is_shared ? shared_by_processors(work.ns) : least;
  predicted.least_wall_ns = std::min(std::max(predicted.wall_ns, least_shared), least);
  predicted.wall_ns = least;
  if (predicted.least_wall_ns < least) predicted.doubt = Doubt::threads;
  if (sum > 0) {
    predicted.overlap_ratio = 1 - static_cast<double>(least) / static_cast<double>(sum);
  }
  return predicted;
}

// Returns edits that remove a fraction of the host time before each call. The fraction depends on
// the source line of the call.
Edits HostEdits::partly(const SharesByLine& shares) const {
  Places places(program_, Cause::host_compute);
  Edits edits(program_.graph);
  all_.steps.for_each([&](std::uint32_t s, const Step& elsewhere) {
    const Step& step = program_.graph.steps[s];
    const auto share = shares.find(places[places.of_gap(s)].line);
    if (share == shares.end()) return;
    for (Ns Step::*own : {&Step::gap, &Step::after_gap}) {
      const auto saved = static_cast<double>(step.*own - elsewhere.*own);
      if (saved > 0) edits.steps.edit(s).*own -= static_cast<std::int64_t>(saved * share->second);
    }
  });
  return edits;
}

// Returns the least wall time of the scope in ns: the time that other threads or processes need for
// the work. Returns 0 if the edit gives the work to no other thread.
Ns HostEdits::least_wall(const HostWorkAt& work, Ns wall_ns) const {
  switch (edit_for(work.kind)) {
    case HostEdit::one_elsewhere:
      return work.ns;
    case HostEdit::many_elsewhere:
      return shared_by_processors(work.ns);
    case HostEdit::half_the_wait:
      return wall_ns / 2;
    case HostEdit::leave_out:
    case HostEdit::launch_as_graph:
      break;
  }
  return 0;
}

// Returns the time in ns that the work takes if all processors but one share it. Returns 0 if the
// number of processors is not known.
Ns HostEdits::shared_by_processors(Ns work_ns) const {
  const int processors = program_.trace.facts.processors;
  return processors == 0 ? 0 : work_ns / std::max(1, processors - 1);
}

}  // namespace lapscope::analyzer
