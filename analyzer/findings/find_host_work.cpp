#include "analyzer/findings/find_host_work.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/explain/places.h"
#include "analyzer/findings/error_band.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/predict.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/cause.h"
#include "analyzer/model/parallel.h"
#include "analyzer/replay/replay.h"

namespace lapscope::analyzer {
namespace {

bool made_calls(const HostThread& thread, const CallSite& site) {
  const std::string name = "thread " + std::to_string(tid_of(thread.global_tid));
  return std::ranges::find(site.threads, name) != site.threads.end();
}

// Of the threads that made the calls at a finding's sites, returns the thread with the most time in
// known functions. Returns null if there is no such thread.
const HostThread* thread_of_sites(const HostActivity& time, const FindingResult& finding) {
  const HostThread* most = nullptr;
  for (const HostThread& thread : time.threads) {
    const auto made_its = [&thread](const CallSite& site) { return made_calls(thread, site); };
    if (std::ranges::none_of(finding.sites, made_its)) continue;
    if (most == nullptr || named_ns(time, thread) > named_ns(time, *most)) most = &thread;
  }
  return most;
}

// Returns the first three known functions that take at least assumed::least_saving of `ns`.
// `functions` has the longest function first.
std::vector<HostFunction> large_ones(std::vector<HostFunction> functions, Ns ns) {
  constexpr std::size_t most = 3;
  const double least = assumed::least_saving * static_cast<double>(ns);
  std::erase_if(functions, [least](const HostFunction& one) {
    return one.kind == HostKind::unknown || static_cast<double>(one.share.ns) < least;
  });
  if (functions.size() > most) functions.resize(most);
  return functions;
}

bool is_same(const HostFunction& a, const HostFunction& b) {
  return a.kind == b.kind && a.function == b.function && a.file == b.file && a.caller == b.caller;
}

// Whether a thread that does this kind of work can make calls. A thread that waits, or that
// collects garbage, makes none.
bool makes_calls(HostKind kind) {
  switch (kind) {
    case HostKind::garbage_collection:
    case HostKind::lock:
    case HostKind::process_wait:
    case HostKind::sleep:
    case HostKind::unknown:
      return false;
    default:
      return true;
  }
}

// Returns the work in the functions for which is_part() is true. HostWorkAt::calls is an estimate:
// all work that can make calls (makes_calls()) is assumed to make equally many calls per time.
template <class IsPart>
HostWorkAt work_of(const HostActivity& time, const HostFunction& of, IsPart&& is_part) {
  HostWorkAt work{of.kind, {}, of.share.ns};
  for (const HostSite& site : time.sites) {
    Ns part = 0;
    Ns making_calls = 0;
    for (const HostFunction& one : site.functions) {
      if (is_part(one)) part += one.share.ns;
      if (makes_calls(one.kind)) making_calls += one.share.ns;
    }
    if (part == 0) continue;
    const auto ns = static_cast<double>(part);
    work.shares[site.line] = ns / static_cast<double>(site.ns);
    if (makes_calls(of.kind)) work.calls[site.line] = ns / static_cast<double>(making_calls);
  }
  return work;
}

HostWorkAt work_of(const HostActivity& time, const HostFunction& function) {
  return work_of(time, function,
                 [&function](const HostFunction& one) { return is_same(one, function); });
}

// Returns alternatives: work of one kind that an edit could change. The caller uses the alternative
// that saves most. For most edits, the only alternative is all work of this kind. For
// HostEdit::one_elsewhere, the n-th alternative is the work in the n largest functions. The other
// thread takes as long for the moved work as the recorded thread, so moving less may save more.
std::vector<HostWorkAt> works_of(const HostActivity& time, const HostFunction& kind,
                                 const std::vector<HostFunction>& functions) {
  if (edit_for(kind.kind) != HostEdit::one_elsewhere) {
    const auto is_part = [&](const HostFunction& one) { return one.kind == kind.kind; };
    return {work_of(time, kind, is_part)};
  }
  std::vector<HostWorkAt> works;
  for (const HostFunction& function : functions) {
    if (function.kind != kind.kind) continue;
    HostWorkAt work = work_of(time, function);
    if (!works.empty()) {
      for (const auto& [line, share] : works.back().shares) work.shares[line] += share;
      work.ns += works.back().ns;
    }
    works.push_back(std::move(work));
  }
  return works;
}

// Predicts the saving for each kind of work and for each function, with the matching edit
// (edit_for()). weigh() returns the prediction of the kind that saves most.
class HostWeighing {
 public:
  HostWeighing(const HostEdits& edits, const HostActivity& time, Ns wall_ns, HostWork& work)
      : edits_(edits), time_(time), wall_ns_(wall_ns), work_(work) {}

  std::optional<Prediction> weigh() {
    for (HostFunction& kind : work_.kinds) {
      for (HostWorkAt& at : works_of(time_, kind, work_.functions)) ask(std::move(at), kind);
    }
    for (HostFunction& one : work_.functions) ask(work_of(time_, one), one);
    in_parallel(asked_.size(), replays_at_once, [this](std::size_t i) {
      asked_[i].predicted = edits_.predict(asked_[i].work, wall_ns_);
    });
    for (const Asked& one : asked_) {
      if (!one.predicted) continue;
      Ns saving = std::max<Ns>(wall_ns_ - one.predicted->wall_ns, 0);
      // Only HostEdit::launch_as_graph also saves calls. Any other edit saves at most the host's
      // work.
      const bool spares_calls = edit_for(one.work.kind) == HostEdit::launch_as_graph;
      if (!spares_calls) saving = std::min(saving, work_.all_saving_ns);
      one.of->saving_ns = std::max(saving, one.of->saving_ns.value_or(0));
    }
    const auto most =
        std::ranges::max_element(work_.kinds, [](const HostFunction& a, const HostFunction& b) {
          return a.saving_ns.value_or(0) < b.saving_ns.value_or(0);
        });
    std::optional<Prediction> best;
    for (const Asked& one : asked_) {
      if (one.of != &*most || !one.predicted) continue;
      if (!best || one.predicted->wall_ns < best->wall_ns) best = one.predicted;
    }
    std::rotate(work_.kinds.begin(), most, most + 1);
    return best;
  }

 private:
  struct Asked {
    HostWorkAt work;
    HostFunction* of = nullptr;
    std::optional<Prediction> predicted = std::nullopt;
  };

  void ask(HostWorkAt work, HostFunction& of) { asked_.push_back({std::move(work), &of}); }

  const HostEdits& edits_;
  const HostActivity& time_;
  Ns wall_ns_;
  HostWork& work_;
  std::vector<Asked> asked_;
};

// Replaces the prediction of `finding` by `predicted`, the prediction for the best edit of the host
// work. The old prediction is less realistic, because it assumes no host work between CUDA calls.
// Does nothing if the edit saves too little for a finding.
void be_about(Prediction predicted, const CauseOptions& options, std::string_view gpu,
              const ReplayResult& replay, FindingResult& finding) {
  const Ns saving = finding.host_work->about().saving_ns.value_or(0);
  if (!is_worth_a_finding(saving, replay.wall_ns, options)) return;
  predicted.changed = finding.predicted.changed;
  predicted.needs_judgement = finding.predicted.needs_judgement;
  // The edit saves at most as much as the removal of all host work (finding.most_saving_ns).
  const bool is_range = predicted.doubt == Doubt::unexplained || predicted.doubt == Doubt::threads;
  const Ns other = is_range ? replay.wall_ns - predicted.least_wall_ns : saving;
  const Ns most = std::max(saving, std::min(other, finding.most_saving_ns));
  predicted.wall_ns = replay.wall_ns - saving;
  predicted.least_wall_ns = replay.wall_ns - most;
  judge_validity(replay, gpu, predicted);
  finding.predicted = std::move(predicted);
  finding.saving_ns = saving;
  finding.most_saving_ns = most;
  finding.saving_share = portion(saving, replay.wall_ns);
  for (CallSite& site : finding.sites) {
    if (site.saving_ns) site.saving_ns = std::min(*site.saving_ns, saving);
  }
}

}  // namespace

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

void name_host_work(const Sources& sources, const GraphScope& scope, const HostActivity& time,
                    const CauseOptions& options, CausesResult& result) {
  for (auto* list : {&result.findings, &result.questions}) {
    for (FindingResult& finding : *list) {
      const bool is_between_calls = finding.what.kind == Doing::Kind::host_code;
      if (finding.code != code_of(Cause::host_compute) || !is_between_calls) continue;
      const HostThread* const thread = thread_of_sites(time, finding);
      if (thread == nullptr || thread->ns == 0) continue;
      HostWork work{large_ones(by_kind(time, thread->global_tid), thread->ns),
                    large_ones(by_function(time, thread->global_tid), thread->ns),
                    thread->ns,
                    time.instances,
                    0,
                    finding.saving_ns,
                    time.collections};
      work.is_named = static_cast<double>(named_ns(time, *thread)) >=
                      assumed::majority * static_cast<double>(thread->ns);
      for (const HostThread& one : time.threads) work.ops += one.ops;
      if (work.kinds.empty() || work.functions.empty()) continue;
      finding.host_work = std::move(work);
      if (list != &result.findings) continue;
      const Predictor predictor(sources);
      const Sources program = predictor.at(Sharing::most);
      const HostEdits edits(program, scope);
      auto best = HostWeighing(edits, time, result.replay.wall_ns, *finding.host_work).weigh();
      if (!best || !finding.host_work->is_named) continue;
      be_about(*std::move(best), options, sources.trace.devices[scope.device].name, result.replay,
               finding);
    }
  }
  std::ranges::stable_sort(result.findings, std::greater(), &FindingResult::saving_ns);
}

}  // namespace lapscope::analyzer
