#include "analyzer/findings/find_host_work.h"

#include <algorithm>
#include <map>
#include <string>

#include "analyzer/explain/places.h"
#include "analyzer/findings/predict.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/cause.h"
#include "analyzer/model/parallel.h"

namespace lapscope::analyzer {
namespace {

bool made_calls(const HostThread& thread, const CallSite& site) {
  const std::string name = "thread " + std::to_string(tid_of(thread.global_tid));
  return std::find(site.threads.begin(), site.threads.end(), name) != site.threads.end();
}

// Of those that made the calls of a finding's sites the one that does most of what has a name.
const HostThread* thread_of_sites(const HostActivity& time, const FindingResult& finding) {
  const HostThread* most = nullptr;
  for (const HostThread& thread : time.threads) {
    const auto made_its = [&thread](const CallSite& site) { return made_calls(thread, site); };
    if (std::none_of(finding.sites.begin(), finding.sites.end(), made_its)) continue;
    if (most == nullptr || named_ns(time, thread) > named_ns(time, *most)) most = &thread;
  }
  return most;
}

// What there is least of tells nothing of where the time went.
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

// What a function is of the time before the calls at each line.
using Shares = std::map<std::string, double, std::less<>>;
Shares shares_of(const HostActivity& time, const HostFunction& function) {
  Shares shares;
  for (const HostSite& site : time.sites) {
    for (const HostFunction& one : site.functions) {
      if (site.ns == 0 || !is_same(one, function)) continue;
      shares[site.line] += static_cast<double>(one.share.ns) / static_cast<double>(site.ns);
    }
  }
  return shares;
}

// Of what the fix takes away before calls, that share.
Edits partly(const Edits& all, const Sources& program, const Shares& shares) {
  Places places(program, Cause::host_compute);
  Edits edits(program.graph);
  all.steps.for_each([&](std::uint32_t s, const Step& elsewhere) {
    const Step& step = program.graph.steps[s];
    const auto share = shares.find(places[places.of_gap(s)].line);
    if (share == shares.end()) return;
    for (Ns Step::*own : {&Step::gap, &Step::after_gap}) {
      const auto saved = static_cast<double>(step.*own - elsewhere.*own);
      if (saved > 0) edits.steps.edit(s).*own -= static_cast<std::int64_t>(saved * share->second);
    }
  });
  return edits;
}

// Operators that are issued elsewhere are issued one by one there.
bool can_be_elsewhere(const HostFunction& one) {
  return one.kind != HostKind::dispatch && one.kind != HostKind::optimizer;
}

void predict_each(const Sources& sources, const GraphScope& scope, const HostActivity& time,
                  const CausesResult& result, FindingResult& finding) {
  const Predictor predictor(sources);
  const Sources program = predictor.at(Sharing::most);
  const Edits all = fix_for(Cause::host_compute)->edits(program.trace, program.graph, 0);
  std::vector<HostFunction>& functions = finding.host_work->functions;
  in_parallel(functions.size(), replays_at_once, [&](std::size_t i) {
    if (!can_be_elsewhere(functions[i])) return;
    const Edits edits = partly(all, program, shares_of(time, functions[i]));
    if (edits.steps.empty()) return;
    const Ns wall = wall_of(scope, replay_tasks(edited(edits)));
    functions[i].saving_ns = std::clamp<Ns>(result.replay.wall_ns - wall, 0, finding.saving_ns);
  });
}

}  // namespace

void name_host_work(const Sources& sources, const GraphScope& scope, const HostActivity& time,
                    CausesResult& result) {
  for (auto* list : {&result.findings, &result.questions}) {
    for (FindingResult& finding : *list) {
      const bool is_between_calls = finding.what.kind == Doing::Kind::host_code;
      if (finding.code != code_of(Cause::host_compute) || !is_between_calls) continue;
      const HostThread* const thread = thread_of_sites(time, finding);
      if (thread == nullptr || thread->ns == 0) continue;
      HostWork work{{},
                    large_ones(by_function(time, thread->global_tid), thread->ns),
                    thread->ns,
                    time.instances,
                    0};
      for (const HostThread& one : time.threads) work.ops += one.ops;
      if (work.functions.empty()) continue;
      work.kind = large_ones(by_kind(time, thread->global_tid), thread->ns).front();
      finding.host_work = std::move(work);
      if (list == &result.findings) predict_each(sources, scope, time, result, finding);
    }
  }
}

}  // namespace lapscope::analyzer
