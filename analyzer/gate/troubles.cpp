#include "analyzer/gate/troubles.h"

#include <algorithm>
#include <cmath>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/evidence.h"

namespace lapscope::analyzer {
namespace {

Remark unsound(const RunSummary& run) {
  const auto row = std::ranges::find(run.health, Severity::error, &HealthSummary::severity);
  if (row == run.health.end()) return {RemarkKind::unsound, {run.source()}};
  return {RemarkKind::unsound_for, {run.source(), row->words.message}};
}

// Returns a remark if a run lacks a part that may change the result, unless the gate allows this.
// Otherwise, returns an empty remark.
Remark incomplete(const Gate& gate, const RunSummary& run) {
  for (const HealthSummary& row : run.health) {
    if (std::ranges::find(allowances, row.code) == allowances.end() ||
        gate.allowed.count(row.code) > 0) {
      continue;
    }
    return {RemarkKind::incomplete, {run.source(), row.words.message, row.code}};
  }
  return {};
}

const std::string& gpu_of(const RunSummary& run, std::int64_t device) {
  static const std::string unknown;
  const DeviceSummary* found = find_device(run, device);
  return found == nullptr ? unknown : found->name;
}

std::vector<std::string> unrecorded(const RunSummary& run, Cause cause) {
  std::vector<std::string> kinds;
  const auto& recorded = run.provenance->recorded;
  for (const std::string_view kind : records_of(cause)) {
    if (std::ranges::find(recorded, kind) == recorded.end()) {
      kinds.emplace_back(kind);
    }
  }
  return kinds;
}

Remark with_kinds(RemarkKind kind, Details details, const std::vector<std::string>& kinds) {
  details.insert(details.end(), kinds.begin(), kinds.end());
  return {kind, std::move(details)};
}

Remark of_baseline(Remark trouble) {
  trouble.is_of_baseline = true;
  return trouble;
}

// Returns a remark if a run was analyzed with another --range-threads than that of the gate. Skips
// runs without provenance, because another check returns a remark for them.
Remark other_threads(const Gate& gate, Runs runs) {
  for (const RunSummary& run : runs) {
    if (!run.provenance || run.provenance->range_threads == gate.range_threads) continue;
    return {RemarkKind::other_threads,
            {run.source(), std::string(name_of(run.provenance->range_threads))}};
  }
  return {};
}

// Returns a remark if the default scope of a run is not the scope that the gate names.
Remark other_scope(const Gate& gate, const ScopeSummary& scope, const RunSummary& run) {
  if (!gate.scope) return {};
  if (gate.scope == GateScope::steady) {
    if (scope.steady) return {};
    return {RemarkKind::not_steady, {run.source()}};
  }
  if (scope.steady && name_of(scope.steady->by) == name_of(*gate.scope)) return {};
  return {RemarkKind::other_scope,
          {std::string(name_of(*gate.scope)), run.source(), scope.words.scope}};
}

}  // namespace

Remark trouble_of(const Gate& gate, Runs runs) {
  for (const RunSummary& run : runs) {
    if (run.trust != Trust::sound) return unsound(run);
  }
  for (const RunSummary& run : runs) {
    if (auto trouble = incomplete(gate, run); !trouble.empty()) return trouble;
  }
  for (const RunSummary& run : runs) {
    if (run.provenance) continue;
    return {RemarkKind::made_otherwise, {run.source()}};
  }
  for (auto run = runs.begin(); run != runs.end(); ++run) {
    const auto same = std::find_if(
        runs.begin(), run, [&run](const RunSummary& before) { return are_same_run(before, *run); });
    if (same == run) continue;
    return {RemarkKind::same_run, {same->source(), run->source()}};
  }
  for (auto run = runs.begin(); run != runs.end(); ++run) {
    const auto other = std::find_if(runs.begin(), run, [&run](const RunSummary& before) {
      return are_other_ranks(before, *run);
    });
    if (other == run) continue;
    return {RemarkKind::other_ranks,
            {other->source(), other->trace.rank, run->source(), run->trace.rank}};
  }
  for (const RunSummary& run : runs) {
    if (run.trace.command != runs[0].trace.command && !gate.allow_other_command) {
      return {RemarkKind::other_commands, {runs[0].source(), run.source()}};
    }
  }
  return {};
}

Remark trouble_of_unlike(const ScopeSummary& a, const RunSummary& run_a, const ScopeSummary& b,
                         const RunSummary& run_b) {
  if (are_alike(a, b)) return {};
  return {RemarkKind::unlike_scopes,
          {run_a.source(), a.words.scope, run_b.source(), b.words.scope}};
}

Remark trouble_of_untold(const Gate& gate, Runs runs) {
  if (!judges_default(gate)) return {};
  for (const RunSummary& run : runs) {
    for (const DeviceSummary& device : run.devices) {
      if (judged_of(device) || (gate.device && *gate.device != device.id)) continue;
      return {RemarkKind::untold_scope, {run.source()}};
    }
  }
  return {};
}

Remark trouble_of_left_out(const ScopeSummary& scope, const RunSummary& run) {
  if (scope.impossible_ops == 0) return {};
  return {RemarkKind::impossible_ops, {run.source(), scope.impossible_ops}};
}

Remark trouble_of(const Gate& gate, const GatedWork& work, Runs runs) {
  if (work.kind == ScopeKind::nvtx) {
    if (auto trouble = other_threads(gate, runs); !trouble.empty()) return trouble;
  }
  if (work.is_default) {
    if (auto trouble = trouble_of_untold(gate, runs); !trouble.empty()) return trouble;
  }
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const ScopeSummary* scope = work.scopes[run];
    if (scope == nullptr) {
      return {RemarkKind::not_in_this_run, {runs[run].source()}};
    }
    if (work.is_default) {
      auto trouble = other_scope(gate, *scope, runs[run]);
      if (trouble.empty()) {
        trouble = trouble_of_unlike(*work.scopes.front(), runs.front(), *scope, runs[run]);
      }
      if (!trouble.empty()) return trouble;
    }
    if (auto trouble = trouble_of_left_out(*scope, runs[run]); !trouble.empty()) return trouble;
    if (scope->ops < gate.least_ops) {
      return {RemarkKind::few_ops, {runs[run].source(), scope->ops, gate.least_ops}};
    }
    const std::string& gpu = gpu_of(runs[run], work.device);
    if (gpu != work.gpu && !gate.allow_other_gpu) {
      return {RemarkKind::other_gpus, {work.gpu, gpu}};
    }
  }
  return {};
}

Remark trouble_of_missing(const Gate& gate, const std::string& missing, Runs runs) {
  if (auto trouble = trouble_of_untold(gate, runs); !trouble.empty()) return trouble;
  const bool is_range = !gate.ranges.empty() || gate.profiler_brackets;
  return {!is_range                   ? RemarkKind::missing_work
          : runs[0].read_from.empty() ? RemarkKind::missing_range
                                      : RemarkKind::missing_in_summary,
          {runs[0].source(), missing}};
}

Remark trouble_of(const Gate& gate, const Measure& measure, Runs runs) {
  if (&measure != &comm_hidden) return {};
  for (const RunSummary& run : runs) {
    if (run.provenance && run.provenance->communication == gate.communication) continue;
    return {RemarkKind::other_communication, {run.source()}};
  }
  return {};
}

namespace {

// Returns a remark if the causes of a scope were not analyzed or are not reliable.
Remark trouble_of_causes(const Gate& gate, const ScopeSummary& scope, const std::string& source) {
  if (!scope.causes) return {RemarkKind::causes_unknown, {source}};
  if (gate.forbids_possible && !scope.causes->possible) {
    return {RemarkKind::possible_untold, {source}};
  }
  const double error = std::abs(scope.causes->replay_error);
  if (!(error <= gate.most_replay_error)) {
    return {RemarkKind::replay_off, {source, 100 * error, 100 * gate.most_replay_error}};
  }
  const double unexplained = scope.causes->unexplained_share;
  if (!(unexplained <= assumed::most_unaccounted)) {
    return {RemarkKind::unexplained, {source, 100 * unexplained}};
  }
  return {};
}

// If `scope` is the whole device, returns the default scope of the device. Otherwise returns null.
// Also returns null if both scopes are the same, or if the causes of the default scope were not
// analyzed.
const ScopeSummary* judged_within(const ScopeSummary& scope, const RunSummary& run,
                                  std::int64_t device) {
  if (scope.kind != ScopeKind::device) return nullptr;
  const DeviceSummary* summary = find_device(run, device);
  const ScopeSummary* judged = summary == nullptr ? nullptr : judged_of(*summary);
  return judged != nullptr && judged != &scope && judged->causes ? judged : nullptr;
}

}  // namespace

Remark trouble_of(const Gate& gate, const Ban& ban, const GatedWork& work, Runs runs) {
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const ScopeSummary* scope = work.scopes[run];
    const std::string& source = runs[run].source();
    if (scope == nullptr) return {RemarkKind::no_such_work, {source}};
    if (auto trouble = trouble_of_causes(gate, *scope, source); !trouble.empty()) return trouble;
    if (!runs[run].provenance) continue;  // another check returns a remark for such a run
    const auto missing = unrecorded(runs[run], ban.cause);
    if (!missing.empty()) {
      return with_kinds(RemarkKind::cause_not_recorded, {source, std::string(code_of(ban.cause))},
                        missing);
    }
    const auto& doubted = scope->causes->doubted;
    auto lacking = scope->causes->lacking;
    const bool is_doubted = std::erase(lacking, bare_runs) > 0 ||
                            std::ranges::find(doubted, code_of(ban.cause)) != doubted.end();
    if (is_doubted) return {RemarkKind::recorder_decides, {source}};
    if (!lacking.empty()) {
      return with_kinds(RemarkKind::causes_not_recorded, {source}, lacking);
    }
    if (const auto* within = judged_within(*scope, runs[run], work.device)) {
      // The limits of `analyze` apply here. The gate's own limits apply only to the scope that the
      // gate names.
      auto trouble = trouble_of_causes(Gate(), *within, source);
      if (!trouble.empty()) return trouble;
    }
  }
  return {};
}

Remark trouble_of_baseline(const Gate& gate, Runs runs, Runs baseline) {
  if (baseline.empty()) {
    return {RemarkKind::baseline_lacks_rank, {gate.baseline->file, runs[0].trace.rank}};
  }
  if (auto trouble = trouble_of(gate, baseline); !trouble.empty()) return of_baseline(trouble);
  if (!gate.ranges.empty()) {
    auto trouble = other_threads(gate, baseline);
    if (!trouble.empty()) return of_baseline(trouble);
  }
  if (gate.allowed.count(same_run) > 0) return {};
  for (const RunSummary& then : baseline) {
    for (const RunSummary& now : runs) {
      if (!are_same_run(then, now)) continue;
      return {RemarkKind::baseline_is_run, {now.source(), then.source(), std::string(same_run)}};
    }
  }
  return {};
}

namespace {

void add_health(Runs runs, std::vector<Remark>& notes) {
  for (const RunSummary& run : runs) {
    for (const HealthSummary& row : run.health) {
      if (row.severity == Severity::info) continue;
      Remark note{RemarkKind::defect, {run.source(), row.words.message}};
      // Repeats in one summary file have the same name, so two notes may be equal.
      if (std::ranges::find(notes, note) == notes.end()) {
        notes.push_back(std::move(note));
      }
    }
  }
}

void add_differences(const TraceFacts& now, const TraceFacts& then, std::vector<Remark>& notes) {
  if (now.command != then.command) {
    notes.push_back({RemarkKind::baseline_of_command, {then.command, now.command}});
  }
  if (now.driver != then.driver) {
    notes.push_back({RemarkKind::baseline_of_driver, {then.driver, now.driver}});
  }
}

}  // namespace

std::vector<Remark> notes_of(Runs runs, Runs baseline) {
  std::vector<Remark> notes;
  if (!baseline.empty()) add_differences(runs[0].trace, baseline[0].trace, notes);
  add_health(runs, notes);
  add_health(baseline, notes);
  return notes;
}

}  // namespace lapscope::analyzer
