#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"
#include "analyzer/summary/wording.h"

// The part of a report that is needed to evaluate a run and to compare it with others: a few kB,
// small enough to be kept beside the sources. Numbers are what renderers show; exact fractions stay
// in the report.
namespace lapscope::analyzer {

// A defect of the recording.
struct HealthSummary {
  std::string code;
  Severity severity = Severity::info;
  std::int64_t count = 0;
  HealthWords words;
};

struct MeasureSummary {
  const Measure* measure = nullptr;
  std::optional<double> value;  // ns or ratio, by the measure's unit
  std::string reason;           // why there is none
};

struct GapsSummary {
  std::int64_t count = 0;
  Ns total_ns = 0;
  // ns by code, which sum to total_ns; "short" for what was not looked into. Empty where causes
  // were not looked for.
  std::map<std::string, Ns> by_cause;
};

struct BlameSummary {
  std::string code;
  BlameKind kind = BlameKind::wait;
  Ns ns = 0;
};

// A line of the program's source.
struct SourcePlace {
  std::string file;  // relative to where the run was recorded, if it lies below it
  std::int64_t line = 0;
  std::string function;

  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

struct FindingSummary {
  std::string code;
  std::string what;
  Ns saving_ns = 0;
  Share saving_share = 0;  // of the scope's wall time
  std::int64_t occurrences = 0;
  std::string explanation;
  std::string fix;
  // The call site that comes first; absent where no line is known.
  std::optional<SourcePlace> at = {};
};

struct CausesSummary {
  std::vector<BlameSummary> blame;
  double replay_error = 0;      // replayed wall / measured wall - 1
  Share unexplained_share = 0;  // of the wall time; 0 in summaries of older versions
  // The findings that `analyze` reports by itself: see CauseOptions.
  std::vector<FindingSummary> findings;
  // What the fix of each cause would save, as a share of the wall time, by code: of findings and of
  // what is too little for one. What is not here saves nothing.
  std::map<std::string, double> savings;
  // What the fix of each cause may save if questions are answered so; absent in summaries that do
  // not have it.
  std::optional<std::map<std::string, double>> possible = {};
  // Kinds of records for want of which neither findings nor their absence mean anything.
  std::vector<std::string> lacking = {};
  // Causes of which the answer changes with what recording adds, which is not known.
  std::vector<std::string> doubted = {};
};

// What threads did between their calls in one function.
struct HostFunctionSummary {
  std::string what;  // the function with its file, and the kind of work
  Ns ns = 0;
};

struct ScopeSummary {
  ScopeKind kind = ScopeKind::device;
  std::string name;                        // of the range; empty for a whole device
  std::optional<SteadyState> steady = {};  // of a steady state; none if the file does not have it
  SteadyWords words = {};                  // of that
  std::int64_t instances = 1;
  std::int64_t ops = 0;
  std::int64_t impossible_ops = 0;       // as of ScopeResult; nothing is kept of a run with any
  std::vector<MeasureSummary> measures;  // those that the summary holds
  GapsSummary gaps;
  std::optional<CausesSummary> causes;  // absent when they were not analyzed
  std::vector<KernelResult> kernels;    // most time first; the longest only
  // From a trace; a summary's file does not hold these.
  LaunchOrder launches;
  std::optional<std::vector<HostFunctionSummary>> host_time;  // absent where it is not recorded
};

struct DeviceSummary {
  std::int64_t id = 0;
  std::string name;
  std::vector<ScopeSummary> scopes;  // the whole device first
  // Whether its default scope is among them, as in DeviceResult. A file need not have it.
  bool sought_steady = false;
};

// How the figures of a run came about, as far as it decides what may be concluded from them. The
// first two are facts of the trace: see TraceFacts, whose kinds without cause are `recorded`, too.
struct Provenance {
  std::string identity;
  std::vector<std::string> recorded;
  std::vector<std::string> communication;  // patterns of the kernels that count as communication
  RangeThreads range_threads = RangeThreads::helpers;
};

// One run of a program.
struct RunSummary {
  std::string tool_version;
  TraceFacts trace;
  std::string read_from;  // the summary that this was read from; empty when it was a trace
  std::vector<HealthSummary> health;
  Trust trust = Trust::sound;
  std::optional<Provenance> provenance;  // absent in summaries that do not have it
  std::vector<DeviceSummary> devices;

  // The file to name to the user.
  const std::string& source() const { return read_from.empty() ? trace.file : read_from; }
};

// Whether two are the same run of the same program, whatever their files: false when either lacks
// its identity, and for two ranks.
bool are_same_run(const RunSummary& a, const RunSummary& b);

// Null when the scope has no entry for it.
const MeasureSummary* find(const ScopeSummary& scope, const Measure& measure);
const DeviceSummary* find_device(const RunSummary& run, std::int64_t id);
const ScopeSummary* find_scope(const DeviceSummary& device, ScopeKind kind, std::string_view name);

// What is evaluated of a device where nothing was named, as judged_of decides it for a report: its
// steady state, else all of it. Null where the summary does not have it.
const ScopeSummary* judged_of(const DeviceSummary& device);

// Whether the default scopes of two runs are the same kind of scope, with the same NVTX range where
// they have one. A sequence of ops that repeats may be another sequence.
bool are_alike(const ScopeSummary& a, const ScopeSummary& b);

// The options with all that a summary has to know: kernels, and savings however little they are.
AnalyzeOptions for_summary(AnalyzeOptions options);

// The report of an analysis with these options, which are for_summary and name the ranges that are
// to be evaluated.
RunSummary summarize(const Report& report, const AnalyzeOptions& options, const Wording& wording);

}  // namespace lapscope::analyzer
