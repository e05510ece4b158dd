#include "analyzer/diff/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analyzer/analysis/verdict.h"
#include "analyzer/diff/match_launches.h"
#include "analyzer/gate/gated_work.h"
#include "analyzer/gate/troubles.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

using Scopes = std::vector<const ScopeSummary*>;

// Returns the values f(scope) of all repeats that have the scope. Leaves out empty values.
template <class F>
std::vector<double> values_of(const Scopes& scopes, F&& f) {
  std::vector<double> values;
  for (const ScopeSummary* scope : scopes) {
    if (scope == nullptr) continue;
    if (const std::optional<double> value = f(*scope)) values.push_back(*value);
  }
  return values;
}

template <class F>
FigureChange change_of(const Scopes& before, const Scopes& after, Better better, F&& f) {
  return figure_change(values_of(before, f), values_of(after, f), better);
}

double size_of(const FigureChange& figure) {
  const double before = figure.before ? figure.before->median : 0;
  const double after = figure.after ? figure.after->median : 0;
  return std::abs(after - before);
}

std::vector<MeasureChange> measures_of(const Scopes& before, const Scopes& after) {
  std::vector<MeasureChange> changes;
  for (const auto& some : {measures(), measures_of_some()}) {
    for (const Measure* measure : some) {
      const auto value = [measure](const ScopeSummary& scope) {
        const MeasureSummary* held = find(scope, *measure);
        return held == nullptr ? std::nullopt : held->value;
      };
      FigureChange figure = change_of(before, after, measure->better, value);
      if (figure.before || figure.after) changes.push_back({measure, figure});
    }
  }
  return changes;
}

// Returns how the time of each code changed. A code names a cause, an engine or a host function. If
// a repeat does not have a code, the time of this code in the repeat is 0 ns.
template <class F>
std::vector<TimeChange> times_of(const Scopes& before, const Scopes& after, Better better,
                                 F&& by_code) {
  std::set<std::string> codes;
  for (const Scopes* scopes : {&before, &after}) {
    for (const ScopeSummary* scope : *scopes) {
      if (scope == nullptr) continue;
      for (const auto& [code, ns] : by_code(*scope)) codes.insert(code);
    }
  }
  std::vector<TimeChange> changes;
  for (const std::string& code : codes) {
    changes.push_back(
        {code,
         change_of(before, after, better, [&](const ScopeSummary& scope) -> std::optional<double> {
           const auto times = by_code(scope);
           const auto found = times.find(code);
           return found == times.end() ? 0.0 : static_cast<double>(found->second);
         })});
  }
  std::ranges::stable_sort(changes, [](const TimeChange& a, const TimeChange& b) {
    return size_of(a.ns) > size_of(b.ns);
  });
  return changes;
}

std::map<std::string, Ns> blame_of(const ScopeSummary& scope) {
  std::map<std::string, Ns> times;
  if (!scope.causes) return times;
  for (const BlameSummary& row : scope.causes->blame) times[row.code] += row.ns;
  return times;
}

std::map<std::string, Ns> host_time_of(const ScopeSummary& scope) {
  std::map<std::string, Ns> times;
  if (!scope.host_time) return times;
  for (const HostFunctionSummary& one : *scope.host_time) times[one.what] += one.ns;
  return times;
}

bool know_host_time(const Scopes& scopes) {
  return std::ranges::all_of(
      scopes, [](const ScopeSummary* scope) { return scope != nullptr && scope->host_time; });
}

bool know_causes(const Scopes& scopes) {
  return std::ranges::all_of(scopes, [](const ScopeSummary* scope) {
    return scope != nullptr && scope->causes && scope->causes->lacking.empty();
  });
}

// Returns the findings that more than half of the repeats have. The key is the code of a finding,
// and the op or call at fault. Each finding is taken from the repeat with the median saving.
std::map<std::pair<std::string, std::string>, FindingSummary> findings_of(const Scopes& scopes) {
  std::map<std::pair<std::string, std::string>, std::vector<FindingSummary>> all;
  for (const ScopeSummary* scope : scopes) {
    for (const FindingSummary& finding : scope->causes->findings) {
      all[{finding.code, finding.what}].push_back(finding);
    }
  }
  std::map<std::pair<std::string, std::string>, FindingSummary> common;
  for (auto& [key, findings] : all) {
    if (static_cast<double>(findings.size()) <=
        assumed::majority * static_cast<double>(scopes.size())) {
      continue;
    }
    std::ranges::sort(findings, {}, &FindingSummary::saving_share);
    common.emplace(key, findings[(findings.size() - 1) / 2]);
  }
  return common;
}

// Whether the savings may be shown. Returns false if the model check of a repeat is `useless`.
bool tell_savings(const Scopes& scopes) {
  return std::ranges::none_of(scopes, [](const ScopeSummary* scope) {
    return model_check_of(scope->causes->model_error) == ModelCheck::useless;
  });
}

void compare_findings(const Scopes& before, const Scopes& after, WorkChange& work) {
  work.knows_findings = know_causes(before) && know_causes(after);
  if (!work.knows_findings) return;
  // A shorter time of one cause is neither better nor worse, because the critical path may lead
  // through other work instead.
  work.blame = times_of(before, after, Better::neither, blame_of);
  const auto then = findings_of(before);
  const auto now = findings_of(after);
  const bool told_before = tell_savings(before);
  const bool told_after = tell_savings(after);
  for (const auto& [key, finding] : now) {
    const auto old = then.find(key);
    auto& changes = old == then.end() ? work.gained : work.kept;
    const bool is_new = old == then.end();
    changes.push_back({finding.code, finding.what, is_new ? 0 : old->second.saving_share,
                       finding.saving_share, finding.explanation, finding.fix,
                       is_new ? std::nullopt : old->second.at, finding.at,
                       told_after && (is_new || told_before)});
  }
  for (const auto& [key, finding] : then) {
    if (now.count(key) > 0) continue;
    work.lost.push_back({finding.code, finding.what, finding.saving_share, 0, finding.explanation,
                         finding.fix, finding.at, std::nullopt, told_before});
  }
}

std::vector<KernelChange> kernels_of(const Scopes& before, const Scopes& after) {
  std::set<std::string> names;
  for (const Scopes* scopes : {&before, &after}) {
    for (const ScopeSummary* scope : *scopes) {
      if (scope == nullptr) continue;
      for (const KernelResult& kernel : scope->kernels) names.insert(kernel.name);
    }
  }
  std::vector<KernelChange> changes;
  for (const std::string& name : names) {
    const auto figure = [&](Better better, auto&& f) {
      return change_of(before, after, better,
                       [&](const ScopeSummary& scope) -> std::optional<double> {
                         for (const KernelResult& kernel : scope.kernels) {
                           if (kernel.name == name && kernel.ops > 0) return f(kernel);
                         }
                         return std::nullopt;
                       });
    };
    KernelChange kernel;
    kernel.name = name;
    kernel.ops =
        figure(Better::neither, [](const KernelResult& k) { return static_cast<double>(k.ops); });
    kernel.sum_ns =
        figure(Better::less, [](const KernelResult& k) { return static_cast<double>(k.sum_ns); });
    kernel.mean_ns =
        figure(Better::less, [](const KernelResult& k) { return portion(k.sum_ns, k.ops); });
    kernel.shared =
        figure(Better::more, [](const KernelResult& k) { return portion(k.shared_ns, k.sum_ns); });
    changes.push_back(std::move(kernel));
  }
  std::ranges::stable_sort(changes, [](const KernelChange& a, const KernelChange& b) {
    return size_of(a.sum_ns) > size_of(b.sum_ns);
  });
  return changes;
}

WorkChange compare_work(const GatedWork& before, const GatedWork& after) {
  WorkChange work;
  work.name = name_of(after);
  work.measures = measures_of(before.scopes, after.scopes);
  work.gaps = times_of(before.scopes, after.scopes, Better::less,
                       [](const ScopeSummary& scope) { return scope.gaps.by_cause; });
  if (know_host_time(before.scopes) && know_host_time(after.scopes)) {
    work.host_time = times_of(before.scopes, after.scopes, Better::less, host_time_of);
  }
  compare_findings(before.scopes, after.scopes, work);
  work.kernels = kernels_of(before.scopes, after.scopes);
  work.launches = compare_launches(before.scopes, after.scopes);
  return work;
}

// Returns the work that `gate` selects. If `gate` names no ranges and no brackets, also returns all
// ranges and brackets of the summaries.
std::vector<GatedWork> all_work_of(const Gate& gate, Runs runs) {
  auto works = gated_work_of(gate, runs);
  if (!gate.ranges.empty() || gate.profiler_brackets) return works;
  Gate ranges;
  ranges.ranges = {"*"};
  ranges.profiler_brackets = true;
  for (GatedWork& work : gated_work_of(ranges, runs)) works.push_back(std::move(work));
  return works;
}

// Returns the element of `others` (the work of the other side) with the scope and device of `work`;
// null if there is none. If each side has only one device (`are_alone`), the devices may differ.
const GatedWork* partner(const GatedWork& work, const std::vector<GatedWork>& others,
                         bool are_alone) {
  for (const GatedWork& other : others) {
    const bool same_device = other.device == work.device || are_alone;
    if (same_device && is_same_scope(other, work)) return &other;
  }
  return nullptr;
}

struct Side {
  Runs runs;
  const std::vector<GatedWork>& works;
};

// Returns a remark if the default scopes of two runs differ in kind. Otherwise, returns an empty
// remark.
Remark trouble_of_defaults(const Gate& gate, const Side& before, const Side& after,
                           bool are_alone) {
  for (const Side* side : {&before, &after}) {
    if (auto trouble = trouble_of_untold(gate, side->runs); !trouble.empty()) return trouble;
  }
  for (const GatedWork& work : after.works) {
    const GatedWork* old = work.is_default ? partner(work, before.works, are_alone) : nullptr;
    if (old == nullptr || old->scopes.front() == nullptr) continue;
    for (const Side* side : {&before, &after}) {
      const Scopes& scopes = side == &before ? old->scopes : work.scopes;
      for (std::size_t run = 0; run < scopes.size(); ++run) {
        if (scopes[run] == nullptr) continue;  // the run does not use the device
        auto trouble = trouble_of_unlike(*old->scopes.front(), before.runs.front(), *scopes[run],
                                         side->runs[run]);
        if (!trouble.empty()) return trouble;
      }
    }
  }
  return {};
}

// Returns the default scopes that are compared, as the first run describes them.
std::vector<std::string> default_scopes_of(const std::vector<GatedWork>& works) {
  std::vector<std::string> scopes;
  for (const GatedWork& work : works) {
    if (!work.is_default || work.scopes.front() == nullptr) continue;
    const std::string& scope = work.scopes.front()->words.scope;
    if (std::ranges::find(scopes, scope) == scopes.end()) scopes.push_back(scope);
  }
  return scopes;
}

ComparedSide side_of(Runs runs) {
  ComparedSide side;
  side.runs = runs.size();
  side.command = runs[0].trace.command;
  for (const RunSummary& run : runs) {
    if (std::ranges::find(side.files, run.source()) == side.files.end()) {
      side.files.push_back(run.source());
    }
  }
  return side;
}

// Returns the run's rule for assigning ops to NVTX ranges. Empty if the run has no ranges.
std::optional<RangeThreads> range_threads_of(const RunSummary& run) {
  for (const DeviceSummary& device : run.devices) {
    for (const ScopeSummary& scope : device.scopes) {
      if (scope.kind == ScopeKind::nvtx && run.provenance) return run.provenance->range_threads;
    }
  }
  return std::nullopt;
}

// Returns a remark if two runs have different RangeThreads. Otherwise, returns an empty remark.
Remark trouble_of_ranges(Runs before, Runs after) {
  std::optional<RangeThreads> first;
  for (const Runs& runs : {before, after}) {
    for (const RunSummary& run : runs) {
      const auto threads = range_threads_of(run);
      if (!first) first = threads;
      if (!threads || threads == first) continue;
      return {RemarkKind::ranges_made_otherwise, {run.source(), std::string(name_of(*threads))}};
    }
  }
  return {};
}

Remark trouble_of_sides(Runs before, Runs after) {
  for (const Runs& runs : {before, after}) {
    Remark trouble = trouble_of(Gate(), runs);
    if (!trouble.empty()) return trouble;
  }
  return trouble_of_ranges(before, after);
}

void note_differences(Runs before, Runs after, std::vector<Remark>& notes) {
  const TraceFacts& then = before[0].trace;
  const TraceFacts& now = after[0].trace;
  if (then.command != now.command) {
    notes.push_back({RemarkKind::commands_differ, {then.command, now.command}});
  }
  if (then.driver != now.driver) {
    notes.push_back({RemarkKind::drivers_differ, {then.driver, now.driver}});
  }
}

void add_once(const Remark& note, std::vector<Remark>& notes) {
  if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
}

// Adds a note if the recorder's own time was subtracted on one side only. Findings are compared
// even then.
void note_corrections(const Scopes& before, const Scopes& after, std::vector<Remark>& notes) {
  const auto is_corrected = [](const ScopeSummary* scope) {
    return scope != nullptr && find(*scope, corrected_wall) != nullptr;
  };
  const bool is_before = std::ranges::any_of(before, is_corrected);
  const bool is_after = std::ranges::any_of(after, is_corrected);
  if (is_before == is_after) return;
  add_once({is_before ? RemarkKind::corrected_before_only : RemarkKind::corrected_after_only},
           notes);
}

// Collects, for each file, the kinds of records that it lacks. The findings of a file that lacks
// records are not compared.
class Lacking {
 public:
  void add(Runs runs, const Scopes& scopes) {
    for (std::size_t run = 0; run < scopes.size(); ++run) {
      if (scopes[run] == nullptr || !scopes[run]->causes) continue;
      for (const std::string& kind : scopes[run]->causes->lacking) add(runs[run].source(), kind);
    }
  }

  void note(std::vector<Remark>& notes) const {
    for (const auto& [file, kinds] : files_) {
      Remark note{RemarkKind::findings_not_compared, {file}};
      note.details.insert(note.details.end(), kinds.begin(), kinds.end());
      notes.push_back(std::move(note));
    }
  }

 private:
  using Kinds = std::vector<std::string>;

  void add(const std::string& file, const std::string& kind) {
    auto known =
        std::ranges::find_if(files_, [&file](const auto& one) { return one.first == file; });
    if (known == files_.end()) known = files_.insert(known, {file, Kinds{}});
    Kinds& kinds = known->second;
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  }

  std::vector<std::pair<std::string, Kinds>> files_;  // in the order of insertion
};

// Returns an empty remark if every scope allows a conclusion. Otherwise, returns the reason of the
// first run whose scope allows none. `scopes` has the compared scope of each run.
Remark trouble_of_work(Runs runs, const Scopes& scopes) {
  for (std::size_t run = 0; run < scopes.size(); ++run) {
    if (scopes[run] == nullptr) continue;
    if (auto trouble = trouble_of_left_out(*scopes[run], runs[run]); !trouble.empty()) {
      return trouble;
    }
  }
  return {};
}

}  // namespace

Comparison compare_runs(Runs before, Runs after, const Gate& gate) {
  Comparison comparison;
  comparison.before = side_of(before);
  comparison.after = side_of(after);
  comparison.trouble = trouble_of_sides(before, after);
  note_differences(before, after, comparison.notes);
  comparison.has_enough_runs = chance_of_difference(std::vector<double>(before.size(), 0),
                                                    std::vector<double>(after.size(), 1))
                                   .has_value();
  auto then = all_work_of(gate, before);
  auto now = all_work_of(gate, after);
  const bool are_alone = before[0].devices.size() == 1 && after[0].devices.size() == 1;
  const Remark unlike = trouble_of_defaults(gate, {before, then}, {after, now}, are_alone);
  if (comparison.trouble.empty()) comparison.trouble = unlike;
  if (unlike.empty()) {
    comparison.default_scopes = default_scopes_of(now);
  } else {
    const auto is_default = [](const GatedWork& work) { return work.is_default; };
    std::erase_if(then, is_default);
    std::erase_if(now, is_default);
  }
  Lacking lacking;
  for (const GatedWork& work : now) {
    const GatedWork* old = partner(work, then, are_alone);
    if (old == nullptr) {
      comparison.notes.push_back({RemarkKind::only_after, {name_of(work)}});
      continue;
    }
    if (old->gpu != work.gpu) {
      add_once({RemarkKind::gpus_differ, {old->gpu, work.gpu}}, comparison.notes);
    }
    if (comparison.trouble.empty()) comparison.trouble = trouble_of_work(before, old->scopes);
    if (comparison.trouble.empty()) comparison.trouble = trouble_of_work(after, work.scopes);
    note_corrections(old->scopes, work.scopes, comparison.notes);
    lacking.add(before, old->scopes);
    lacking.add(after, work.scopes);
    comparison.works.push_back(compare_work(*old, work));
  }
  lacking.note(comparison.notes);
  for (const GatedWork& work : then) {
    if (partner(work, now, are_alone) != nullptr) continue;
    comparison.notes.push_back({RemarkKind::only_before, {name_of(work)}});
  }
  if (comparison.works.empty() && comparison.trouble.empty()) {
    comparison.trouble = {RemarkKind::no_common_work};
  }
  return comparison;
}

}  // namespace lapscope::analyzer
