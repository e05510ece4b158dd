#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"
#include "analyzer/summary/wording.h"

// A summary of a report has the data for evaluating a run and for comparing it with others. Its
// file has a few kB and can be stored with the sources. Its ratios are floating-point numbers, not
// exact fractions as in a report.
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
  std::string reason;           // why there is no value
};

struct GapsSummary {
  std::int64_t count = 0;
  Ns total_ns = 0;
  // Idle time in ns by the code of its cause. The values add up to total_ns. Empty if causes were
  // not analyzed.
  std::map<std::string, Ns> by_cause;
};

struct BlameSummary {
  std::string code;
  BlameKind kind = BlameKind::wait;
  Ns ns = 0;
};

// A line of the program's source.
struct SourcePlace {
  std::string file;  // relative to the working directory of the run, if below it
  std::int64_t line = 0;
  std::string function;

  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

struct FindingSummary {
  std::string code;
  std::string what;
  Ns saving_ns = 0;
  Share saving_share = 0;  // of the replayed wall time
  std::int64_t occurrences = 0;
  std::string explanation;
  std::string fix;
  // The line of the first call site; empty if not known.
  std::optional<SourcePlace> at = {};
};

struct CausesSummary {
  std::vector<BlameSummary> blame;
  double replay_error = 0;      // replayed wall / measured wall - 1
  Share unexplained_share = 0;  // of the wall time; 0 in summaries of older versions
  // The findings that `analyze` reports when it is called without options (CauseOptions).
  std::vector<FindingSummary> findings;
  // The key is the code of a cause. The value is the share of the wall time that its fix would
  // save. Includes savings that are too small for a finding. The fix of a cause that is not in the
  // map saves nothing.
  std::map<std::string, double> savings;
  // The largest possible saving for each cause that has questions, as a share of the wall time. The
  // key is the code of the cause. Empty if the file lacks these shares.
  std::optional<std::map<std::string, double>> possible = {};
  // Kinds of records that the trace lacks, and that are needed to find causes. If the trace lacks
  // any of them, the findings are not reliable, and a cause without a finding may still exist.
  std::vector<std::string> lacking = {};
  // The codes of causes with undecided findings: such a finding saves no more time than recording
  // may have added (leave_doubts_open()).
  std::vector<std::string> doubted = {};
  double model_error = 0;  // of the model check; 0 in summaries of older versions
};

// What threads did in one function between their calls.
struct HostFunctionSummary {
  std::string what;  // the function with its file, and the kind of work
  Ns ns = 0;
};

struct ScopeSummary {
  ScopeKind kind = ScopeKind::device;
  std::string name;                        // of the NVTX range; empty for a whole device
  std::optional<SteadyState> steady = {};  // of a steady state; empty if not in the file
  SteadyWords words = {};                  // the names of the steady state
  std::int64_t instances = 1;
  std::int64_t ops = 0;
  std::int64_t impossible_ops = 0;       // as in ScopeResult; 0 if read from a file
  std::vector<MeasureSummary> measures;  // the measures that the summary has
  GapsSummary gaps;
  std::optional<CausesSummary> causes;  // empty if causes were not analyzed
  std::vector<KernelResult> kernels;    // those with most time, in this order
  // `launches` and `host_time` are set only in a summary that was made from a trace. Files of
  // summaries do not have them.
  LaunchOrder launches;
  std::optional<std::vector<HostFunctionSummary>> host_time;  // empty if not recorded
};

struct DeviceSummary {
  std::int64_t id = 0;
  std::string name;
  std::vector<ScopeSummary> scopes;  // the whole device first
  // Whether the analysis looked for a steady state (DeviceResult::sought_steady). False if the file
  // lacks this entry.
  bool sought_steady = false;
};

// How the figures of a run were made. Figures that were made differently lead to different
// conclusions. `identity` and `recorded` are as in TraceFacts. `recorded` also includes
// TraceFacts::without_cause.
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
  std::string read_from;  // the file of the summary from which this was read; empty for a trace
  std::vector<HealthSummary> health;
  Trust trust = Trust::sound;
  std::optional<Provenance> provenance;  // absent in summaries that do not have it
  std::vector<DeviceSummary> devices;

  // Returns the file that is named in messages to the user.
  const std::string& source() const { return read_from.empty() ? trace.file : read_from; }
};

// Whether two summaries belong to two ranks. False if the rank of one of them is unknown.
bool are_other_ranks(const RunSummary& a, const RunSummary& b);

// Whether two summaries describe the same run of a program. They may be in different files. False
// if one of them lacks its identity, or if they belong to two ranks.
bool are_same_run(const RunSummary& a, const RunSummary& b);

// These functions return the requested entry, or null if there is none.
const MeasureSummary* find(const ScopeSummary& scope, const Measure& measure);
const DeviceSummary* find_device(const RunSummary& run, std::int64_t id);
const ScopeSummary* find_scope(const DeviceSummary& device, ScopeKind kind, std::string_view name);

// Returns the default scope of a device: the steady state, or the whole device if no steady state
// was found. judged_of() for reports does the same. Returns null if the analysis did not look for a
// steady state.
const ScopeSummary* judged_of(const DeviceSummary& device);

// Whether the default scopes of two runs were found in the same way. If both are NVTX ranges, they
// must have the same name. If both are repeating sequences of ops, the sequences may differ.
bool are_alike(const ScopeSummary& a, const ScopeSummary& b);

// Returns `options` with two changes for a summary: the report lists kernels, and it also has the
// smallest savings.
AnalyzeOptions for_summary(AnalyzeOptions options);

// Returns the summary of a report. `options` are the options of the analysis that made the report.
// They must come from for_summary().
RunSummary summarize(const Report& report, const AnalyzeOptions& options, const Wording& wording);

}  // namespace lapscope::analyzer
