#include "analyzer/summary/summary.h"

#include <algorithm>

#include "analyzer/model/evidence.h"

namespace lapscope::analyzer {
namespace {

// The greatest number of kernels in a summary. With more kernels, their names would take most of
// the file.
constexpr std::size_t kept_kernels = 12;

std::optional<double> number_of(const Value& value) {
  if (const auto* ns = std::get_if<Nanoseconds>(&value)) return static_cast<double>(ns->count);
  if (const auto* ratio = std::get_if<Ratio>(&value)) return ratio->value();
  return std::nullopt;
}

GapsSummary summarize_gaps(const GapsResult& gaps) {
  GapsSummary summary;
  summary.count = gaps.count;
  summary.total_ns = gaps.total_ns;
  for (const auto& [code, ns] : times_of(gaps)) summary.by_cause.emplace(code, ns);
  return summary;
}

// Returns the innermost line of the program's own code at the finding's first call site. Prefers
// lines in files below the working directory. Returns empty if the call site has no line of the
// program's code.
std::optional<SourcePlace> place_of(const FindingResult& finding) {
  if (finding.sites.empty()) return std::nullopt;
  std::optional<SourcePlace> place;
  for (const StackFrame& frame : finding.sites.front().shown_stack()) {
    if (frame.owner != CodeOwner::program || frame.file.empty() || frame.line <= 0) continue;
    const bool is_nearer = !frame.file.starts_with('/');
    if (place && !is_nearer) continue;
    const bool is_python = frame.module == python_module;
    place = {frame.file, frame.line, is_python ? frame.function : bare_function(frame.function)};
    if (is_nearer) break;
  }
  return place;
}

// Returns the largest possible saving for each cause that has questions, by the code of the cause.
// Savings are shares of the replayed wall time.
std::map<std::string, double> possible_savings(const CausesResult& causes) {
  std::map<std::string, double> possible;
  for (const auto* list : {&causes.questions, &causes.small_savings}) {
    for (const FindingResult& one : *list) {
      if (!one.is_question() || one.most_saving_ns < CauseOptions().least_saving_ns) continue;
      Share& share = possible[std::string(one.code)];
      share = std::max(share, static_cast<double>(one.most_saving_ns) /
                                  static_cast<double>(causes.replay.wall_ns));
    }
  }
  return possible;
}

CausesSummary summarize_causes(const CausesResult& causes, const Wording& wording) {
  CausesSummary summary;
  for (const OpenQuestion& question : causes.open_questions()) {
    for (const std::string_view kind : question.missing) {
      auto& all = summary.lacking;
      if (std::find(all.begin(), all.end(), kind) == all.end()) all.emplace_back(kind);
    }
  }
  for (const LookedFor& one : causes.looked_for) {
    if (std::find(one.missing.begin(), one.missing.end(), bare_runs) == one.missing.end()) continue;
    summary.doubted.emplace_back(one.code);
  }
  summary.possible = possible_savings(causes);
  summary.replay_error = causes.replay.error;
  summary.model_error = causes.replay.blind_error;
  summary.unexplained_share = causes.unexplained_share;
  for (const BlameRow& row : causes.blame) {
    summary.blame.push_back({std::string(row.code), row.kind, row.ns});
  }
  for (const auto* list : {&causes.findings, &causes.small_savings}) {
    for (const FindingResult& finding : *list) {
      if (finding.is_question()) continue;
      double& saving = summary.savings[std::string(finding.code)];
      saving = std::max(saving, finding.saving_share);
    }
  }
  for (const FindingResult& finding : causes.findings) {
    FindingWords words = wording.of_finding(finding);
    summary.findings.push_back({std::string(finding.code), std::move(words.what), finding.saving_ns,
                                finding.saving_share, finding.occurrences,
                                std::move(words.explanation), std::move(words.fix),
                                place_of(finding)});
  }
  return summary;
}

std::vector<HostFunctionSummary> summarize_host_time(const HostActivity& time) {
  std::vector<HostFunctionSummary> functions;
  for (const HostFunction& one : by_function(time)) {
    std::string what = one.function;
    if (!one.file.empty()) what += " (" + std::string(file_name(one.file)) + ")";
    functions.push_back(
        {(what.empty() ? "" : what + ", ") + std::string(name_of(one.kind)), one.share.ns});
  }
  return functions;
}

ScopeSummary summarize_scope(const ScopeResult& scope, const Wording& wording) {
  ScopeSummary summary;
  summary.ops = scope.ops;
  summary.impossible_ops = scope.impossible_ops;
  for (const MeasureResult& result : scope.measures) {
    const auto* undefined = std::get_if<Undefined>(&result.value);
    summary.measures.push_back({result.measure, number_of(result.value),
                                undefined ? std::string(undefined->reason) : std::string()});
  }
  summary.gaps = summarize_gaps(scope.gaps);
  if (scope.causes) summary.causes = summarize_causes(*scope.causes, wording);
  const auto kept = std::min(kept_kernels, scope.kernels.size());
  summary.kernels.assign(scope.kernels.begin(),
                         scope.kernels.begin() + static_cast<std::ptrdiff_t>(kept));
  summary.launches = scope.launches;
  if (scope.host_time) summary.host_time = summarize_host_time(*scope.host_time);
  return summary;
}

DeviceSummary summarize_device(const DeviceResult& device, const Wording& wording) {
  DeviceSummary summary;
  summary.id = device.id;
  summary.name = device.name;
  summary.sought_steady = device.sought_steady;
  summary.scopes.push_back(summarize_scope(device.scope, wording));
  for (const RangeResult& range : device.ranges) {
    ScopeSummary scope = summarize_scope(range.scope, wording);
    scope.kind = range.kind;
    scope.name = range.name;
    scope.instances = range.instances;
    if (range.steady) {
      scope.steady = range.steady->state;
      scope.words = wording.of_steady(*scope.steady);
    }
    summary.scopes.push_back(std::move(scope));
  }
  return summary;
}

}  // namespace

const MeasureSummary* find(const ScopeSummary& scope, const Measure& measure) {
  for (const MeasureSummary& entry : scope.measures) {
    if (entry.measure == &measure) return &entry;
  }
  return nullptr;
}

const DeviceSummary* find_device(const RunSummary& run, std::int64_t id) {
  for (const DeviceSummary& device : run.devices) {
    if (device.id == id) return &device;
  }
  return nullptr;
}

const ScopeSummary* find_scope(const DeviceSummary& device, ScopeKind kind, std::string_view name) {
  for (const ScopeSummary& scope : device.scopes) {
    if (scope.kind == kind && scope.name == name) return &scope;
  }
  return nullptr;
}

const ScopeSummary* judged_of(const DeviceSummary& device) {
  if (!device.sought_steady || device.scopes.empty()) return nullptr;
  const ScopeSummary* steady = find_scope(device, ScopeKind::steady, steady_state_name);
  return steady ? steady : &device.scopes.front();
}

bool are_alike(const ScopeSummary& a, const ScopeSummary& b) {
  if (!a.steady || !b.steady) return a.steady.has_value() == b.steady.has_value();
  return a.steady->by == b.steady->by && a.steady->range == b.steady->range;
}

namespace {

// The two parts of Provenance::identity: the process and the session start. Each may be empty.
struct Identity {
  explicit Identity(std::string_view text) {
    const std::size_t begin = text.find(session_start_words);
    if (begin != std::string_view::npos) start = text.substr(begin);
    process =
        text.substr(0, std::min(text.size(), text.find(", " + std::string(session_start_words))));
    if (process == start) process = {};
  }
  std::string_view process;
  std::string_view start;
};

}  // namespace

bool are_other_ranks(const RunSummary& a, const RunSummary& b) {
  return !a.trace.rank.empty() && !b.trace.rank.empty() && a.trace.rank != b.trace.rank;
}

bool are_same_run(const RunSummary& a, const RunSummary& b) {
  if (!a.provenance || !b.provenance) return false;
  if (are_other_ranks(a, b)) return false;
  const Identity one(a.provenance->identity);
  const Identity other(b.provenance->identity);
  // One equal part of the identity is enough, because a damaged trace may lack the other part.
  if (!one.start.empty() && one.start == other.start) return true;
  return !one.process.empty() && one.process == other.process && a.trace.command == b.trace.command;
}

AnalyzeOptions for_summary(AnalyzeOptions options) {
  options.kernels = true;
  options.causes.keeps_small_savings = true;
  return options;
}

RunSummary summarize(const Report& report, const AnalyzeOptions& options, const Wording& wording) {
  RunSummary summary;
  summary.tool_version = report.tool_version;
  summary.trace = report.trace;
  // If a requested range does not exist, only its scope is missing. The other scopes are still
  // reliable.
  auto health = report.health;
  std::erase_if(health, is_absent_range);
  summary.trust = is_any_error(health) ? Trust::inconclusive : Trust::sound;
  for (const HealthRow& row : health) {
    summary.health.push_back(
        {std::string(code_of(row)), severity_of(row), row.count, wording.of_health(row)});
  }
  auto recorded = report.trace.recorded;
  for (const std::string& kind : report.trace.without_cause) {
    if (std::find(recorded.begin(), recorded.end(), kind) == recorded.end()) {
      recorded.push_back(kind);
    }
  }
  summary.provenance = Provenance{report.trace.identity, std::move(recorded), options.communication,
                                  options.range_threads};
  for (const DeviceResult& device : report.devices) {
    summary.devices.push_back(summarize_device(device, wording));
  }
  return summary;
}

}  // namespace lapscope::analyzer
