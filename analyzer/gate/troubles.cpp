#include "analyzer/gate/troubles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/evidence.h"

namespace lapscope::analyzer {
namespace {

std::string unsound(const RunSummary& run) {
  const auto row =
      std::find_if(run.health.begin(), run.health.end(),
                   [](const HealthSummary& health) { return health.severity == Severity::error; });
  return fmt::format("'{}' cannot be relied on{}", run.source(),
                     row == run.health.end() ? "." : ": " + row->words.message);
}

// How to have it judged all the same.
std::string advice(std::string_view allowance) {
  return fmt::format("use --allow {}, or allow = [\"{}\"] in the gate file.", allowance, allowance);
}

// What a run lacks may be what it was to be judged by.
std::string incomplete(const Gate& gate, const RunSummary& run) {
  for (const HealthSummary& row : run.health) {
    if (std::find(allowances.begin(), allowances.end(), row.code) == allowances.end() ||
        gate.allowed.count(row.code) > 0) {
      continue;
    }
    return fmt::format("'{}' is not the whole run. {} To evaluate it as it is, {}", run.source(),
                       row.words.message, advice(row.code));
  }
  return "";
}

const std::string& gpu_of(const RunSummary& run, std::int64_t device) {
  static const std::string unknown;
  const DeviceSummary* found = find_device(run, device);
  return found == nullptr ? unknown : found->name;
}

// "CUDA_EVENT and SYNCHRONIZATION"
std::string listed(const std::vector<std::string_view>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    list += fmt::format("{}{}", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  }
  return list;
}

std::vector<std::string_view> unrecorded(const RunSummary& run, Cause cause) {
  std::vector<std::string_view> kinds;
  const auto& recorded = run.provenance->recorded;
  for (const std::string_view kind : records_of(cause)) {
    if (std::find(recorded.begin(), recorded.end(), kind) == recorded.end()) kinds.push_back(kind);
  }
  return kinds;
}

// That a run does not say how it was made is trouble enough already.
std::string other_threads(const Gate& gate, Runs runs) {
  for (const RunSummary& run : runs) {
    if (!run.provenance || run.provenance->range_threads == gate.range_threads) continue;
    return fmt::format(
        "'{}' was made with --range-threads {}, so that other work is its ranges' than the gate "
        "means; make it again with `lapscope summarize`.",
        run.source(), name_of(run.provenance->range_threads));
  }
  return "";
}

std::string untold(const RunSummary& run) {
  return fmt::format(
      "'{}' does not say which scope is its default; make it again with `lapscope summarize`, or "
      "use --whole.",
      run.source());
}

// That the gate is for another scope than what a run has as its default.
std::string other_scope(const Gate& gate, const ScopeSummary& scope, const RunSummary& run) {
  if (!gate.scope) return "";
  if (gate.scope == GateScope::steady) {
    if (scope.steady) return "";
    return fmt::format("'{}' has no steady state: it has no profiler brackets, loop or NVTX range.",
                       run.source());
  }
  if (scope.steady && name_of(scope.steady->by) == name_of(*gate.scope)) return "";
  return fmt::format(
      "The gate is for the scope '{}', but of '{}' the default scope is {}; name a range, or let "
      "`lapscope gate --init` write the gate again.",
      name_of(*gate.scope), run.source(), words_of_default(scope));
}

}  // namespace

std::string trouble_of(const Gate& gate, Runs runs) {
  for (const RunSummary& run : runs) {
    if (run.trust != Trust::sound) return unsound(run);
  }
  for (const RunSummary& run : runs) {
    if (auto trouble = incomplete(gate, run); !trouble.empty()) return trouble;
  }
  for (const RunSummary& run : runs) {
    if (run.provenance) continue;
    return fmt::format(
        "'{}' does not say how it was made; make it again with `lapscope summarize`.",
        run.source());
  }
  for (auto run = runs.begin(); run != runs.end(); ++run) {
    const auto same = std::find_if(
        runs.begin(), run, [&run](const RunSummary& before) { return are_same_run(before, *run); });
    if (same == run) continue;
    return fmt::format("'{}' and '{}' are the same run, which is no repeat of itself.",
                       same->source(), run->source());
  }
  for (const RunSummary& run : runs) {
    if (run.trace.command != runs[0].trace.command && !gate.allow_other_command) {
      return fmt::format(
          "'{}' and '{}' are runs of different commands and so no repeats; evaluate them one by "
          "one, "
          "or use --allow-other-command, or allow_other_command in the gate file.",
          runs[0].source(), run.source());
    }
  }
  return "";
}

std::string trouble_of_unlike(const ScopeSummary& a, const RunSummary& run_a, const ScopeSummary& b,
                              const RunSummary& run_b) {
  if (are_alike(a, b)) return "";
  return fmt::format(
      "The default scopes are not alike: of '{}' it is {}, of '{}' {}; name a range that both have "
      "(--range), or use --whole.",
      run_a.source(), words_of_default(a), run_b.source(), words_of_default(b));
}

std::string trouble_of_untold(const Gate& gate, Runs runs) {
  if (!judges_default(gate)) return "";
  for (const RunSummary& run : runs) {
    for (const DeviceSummary& device : run.devices) {
      if (!judged_of(device) && (!gate.device || *gate.device == device.id)) return untold(run);
    }
  }
  return "";
}

std::string trouble_of_left_out(const ScopeSummary& scope, const RunSummary& run) {
  if (scope.left_out == 0) return "";
  return fmt::format(
      "'{}' has {} {} with impossible times that may belong there, and in no figure.", run.source(),
      scope.left_out, scope.left_out == 1 ? "op" : "ops");
}

std::string trouble_of(const Gate& gate, const GatedWork& work, Runs runs) {
  if (work.kind == ScopeKind::nvtx) {
    if (auto trouble = other_threads(gate, runs); !trouble.empty()) return trouble;
  }
  if (work.is_default) {
    if (auto trouble = trouble_of_untold(gate, runs); !trouble.empty()) return trouble;
  }
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const ScopeSummary* scope = work.scopes[run];
    if (scope == nullptr) {
      return fmt::format("'{}' has no such work, others have.", runs[run].source());
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
      return fmt::format("'{}' has {} {} there, fewer than {}.", runs[run].source(), scope->ops,
                         scope->ops == 1 ? "op" : "ops", gate.least_ops);
    }
    const std::string& gpu = gpu_of(runs[run], work.device);
    if (gpu != work.gpu && !gate.allow_other_gpu) {
      return fmt::format(
          "The repeats ran on different GPUs, {} and {}; if that is meant, use --allow-other-gpu, "
          "or allow_other_gpu in the gate file.",
          work.gpu, gpu);
    }
  }
  return "";
}

std::string trouble_of_missing(const Gate& gate, const std::string& missing, Runs runs) {
  if (auto trouble = trouble_of_untold(gate, runs); !trouble.empty()) return trouble;
  const bool is_range = !gate.ranges.empty() || gate.profiler_brackets;
  return fmt::format("'{}' has no GPU work of {}{}", runs[0].source(), missing,
                     !is_range ? "."
                     : runs[0].read_from.empty()
                         ? "; check the name, and that the program sets it."
                         : "; name the range when you summarize the trace.");
}

std::string trouble_of(const Gate& gate, const Measure& measure, Runs runs) {
  if (&measure != &comm_hidden) return "";
  for (const RunSummary& run : runs) {
    if (run.provenance && run.provenance->communication == gate.communication) continue;
    return fmt::format(
        "'{}' was made with other kernels that communicate (--comm) than the gate names.",
        run.source());
  }
  return "";
}

std::string trouble_of(const Gate& gate, const Ban& ban, const GatedWork& work, Runs runs) {
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const ScopeSummary* scope = work.scopes[run];
    if (scope == nullptr) return fmt::format("'{}' has no such work.", runs[run].source());
    if (!scope->causes) {
      return fmt::format("The causes of serialization were not analyzed in '{}'.",
                         runs[run].source());
    }
    const double error = std::abs(scope->causes->replay_error);
    if (!(error <= gate.most_replay_error)) {
      return fmt::format(
          "The replay of '{}' is off by {:.1f} %, more than {:.1f} %, so that its findings "
          "cannot be relied on.",
          runs[run].source(), 100 * error, 100 * gate.most_replay_error);
    }
    const double unexplained = scope->causes->unexplained_share;
    if (!(unexplained <= assumed::most_unaccounted)) {
      return fmt::format(
          "{:.1f} % of the time of '{}' is not explained, so that its findings cannot be relied "
          "on.",
          100 * unexplained, runs[run].source());
    }
    if (!runs[run].provenance) continue;  // that is trouble enough already
    const auto missing = unrecorded(runs[run], ban.cause);
    if (!missing.empty()) {
      return fmt::format("'{}' does not hold records of {}, without which {} may not be seen.",
                         runs[run].source(), listed(missing), code_of(ban.cause));
    }
    const auto& doubted = scope->causes->doubted;
    auto lacking = scope->causes->lacking;
    const bool is_doubted =
        std::erase(lacking, bare_runs) > 0 ||
        std::find(doubted.begin(), doubted.end(), code_of(ban.cause)) != doubted.end();
    if (is_doubted) {
      return fmt::format(
          "What is found in '{}' changes with what recording adds, which nobody knows well enough; "
          "run `lapscope doctor --calibrate`, and record with --bare 3.",
          runs[run].source());
    }
    if (lacking.empty()) continue;
    return fmt::format(
        "'{}' does not hold records of {}, without which one cause is taken for another.",
        runs[run].source(), listed({lacking.begin(), lacking.end()}));
  }
  return "";
}

std::string trouble_of_baseline(const Gate& gate, Runs runs, Runs baseline) {
  if (auto trouble = trouble_of(gate, baseline); !trouble.empty()) {
    return "Of the baseline: " + trouble;
  }
  if (!gate.ranges.empty()) {
    if (auto trouble = other_threads(gate, baseline); !trouble.empty()) {
      return "Of the baseline: " + trouble;
    }
  }
  if (gate.allowed.count(same_run) > 0) return "";
  for (const RunSummary& then : baseline) {
    for (const RunSummary& now : runs) {
      if (!are_same_run(then, now)) continue;
      return fmt::format(
          "'{}' and '{}' are the same run, which cannot be worse than itself; if that is meant, {}",
          now.source(), then.source(), advice(same_run));
    }
  }
  return "";
}

namespace {

void add_health(Runs runs, std::vector<std::string>& notes) {
  for (const RunSummary& run : runs) {
    for (const HealthSummary& row : run.health) {
      if (row.severity == Severity::info) continue;
      std::string note = fmt::format("'{}': {}", run.source(), row.words.message);
      // Repeats in one summary have one name.
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
        notes.push_back(std::move(note));
      }
    }
  }
}

void add_differences(const TraceFacts& now, const TraceFacts& then,
                     std::vector<std::string>& notes) {
  if (now.command != then.command) {
    notes.push_back(fmt::format("The baseline is of another command: '{}' instead of '{}'.",
                                then.command, now.command));
  }
  if (now.driver != then.driver) {
    notes.push_back(fmt::format("The baseline was recorded with another driver: {} instead of {}.",
                                then.driver, now.driver));
  }
}

}  // namespace

std::vector<std::string> notes_of(Runs runs, Runs baseline) {
  std::vector<std::string> notes;
  if (!baseline.empty()) add_differences(runs[0].trace, baseline[0].trace, notes);
  add_health(runs, notes);
  add_health(baseline, notes);
  return notes;
}

}  // namespace lapscope::analyzer
