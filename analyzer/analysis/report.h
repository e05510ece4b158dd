#pragma once

#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/steady_state.h"
#include "analyzer/analysis/timeline.h"
#include "analyzer/explain/gaps.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/intervals/units.h"
#include "analyzer/measures/activity.h"
#include "analyzer/measures/collectives.h"
#include "analyzer/measures/measure.h"
#include "analyzer/model/trace.h"
#include "analyzer/scope/range_work.h"
#include "analyzer/scope/scope.h"

// The result of an analysis as plain values. Renderers depend only on this header.
namespace lapscope::analyzer {

struct MeasureResult {
  const Measure* measure = nullptr;  // name, unit and definition
  Value value;
};

struct EngineResult {
  Engine engine = Engine::compute;
  Ns busy_ns = 0;
  std::int64_t ops = 0;
};

struct StreamResult {
  Stream stream;
  std::int64_t ops = 0;
  Ns busy_ns = 0;
  // Time in which the stream ran more than one op: branches of a CUDA graph, programmatic dependent
  // launch, or an error of a few ns in the fit of the device's clock to the host's clock.
  Ns self_overlap_ns = 0;
};

struct StreamOverlap {
  Stream a;
  Stream b;
  Ns ns = 0;
};

// Time in which both engines were busy: |∪a ∩ ∪b|.
struct ClassOverlap {
  std::string_view a;
  std::string_view b;
  Ns ns = 0;
};

// All launches of one kernel, or all copies or memsets of one kind.
struct OpGroup {
  std::string name;
  Engine engine = Engine::compute;
  std::int64_t ops = 0;
  Ns sum_ns = 0;    // Σ|op|
  Bytes bytes = 0;  // 0 for kernels

  // For copies and memsets: `bytes` divided by the sum of the durations of whole ops, which may
  // reach beyond the window.
  std::optional<std::int64_t> bytes_per_s;
  // The rate of the fastest copy of 1 MiB or more.
  std::optional<std::int64_t> best_bytes_per_s;
  // The bandwidth, in one direction, of the link that the copies use. Absent if it is not known, or
  // if a copy exceeded the bandwidth that CUPTI reported.
  std::optional<std::int64_t> link_bytes_per_s;
};

struct KernelResult {
  std::string name;
  std::int64_t ops = 0;
  Ns sum_ns = 0;     // Σ|op|
  Ns shared_ns = 0;  // part of sum_ns during which any other op was active
};

struct Durations {
  std::int64_t count = 0;
  Ns sum_ns = 0;
  Ns least_ns = 0;
  Ns median_ns = 0;  // for an even count, the lower of the two middle values
  Ns most_ns = 0;
  double deviation_ns = 0;  // standard deviation of a sample; 0 if count is 1

  double average_ns() const { return static_cast<double>(sum_ns) / static_cast<double>(count); }
};

struct StatsRow {
  std::string name;
  std::optional<std::int64_t> device;  // id; absent for calls
  Durations durations;
  Bytes bytes = 0;                               // of copies and memsets
  std::optional<std::int64_t> bytes_per_s = {};  // of copies and memsets, as in OpGroup
};

// The times of a scope's ops and calls by name, longest first. The ops may be on several devices.
struct ScopeStats {
  ScopeKind kind = ScopeKind::device;
  std::string name;  // of ranges, brackets or a steady state; else empty
  Interval window;
  std::vector<StatsRow> kernels = {};
  std::vector<StatsRow> copies = {};  // copies and memsets
  // CUDA calls that are not nested in another call. Which calls are listed depends on the scope:
  // - for a window, the calls in the window;
  // - for the whole run, all calls;
  // - for another scope, the calls from the first one that issued work of the scope until the end
  //   of all this work. For a loop, the calls of the warm-up are listed, too.
  std::vector<StatsRow> calls = {};
};

// The kernels that an instance of a scope launches, in the order of issue. An instance is one NVTX
// range, one iteration of the device's loop, or else the whole scope. If the instances launch
// different sequences of kernels, `launches` is the most frequent sequence, and `instances` is the
// number of instances that launch it.
struct LaunchOrder {
  std::int64_t instances = 0;
  std::vector<std::string> names;
  struct Launch {
    std::uint32_t name = 0;   // index in `names`
    std::vector<Ns> ns;       // durations, one for each instance; at most limits::repeats
    std::int64_t blocks = 0;  // of its grid; 0 if not known, or if instances differ
  };
  std::vector<Launch> launches;  // empty if every instance has more than limits::launches
};

struct GapPartResult {
  Cause cause = Cause::unexplained;
  Interval interval;
  std::string
      detail;  // the call that delayed the thread, and the thread's NVTX range; may be empty
};

struct GapResult {
  Interval interval;
  std::string next;                  // the op that ended the gap
  std::string thread;                // the thread that issued `next`, as "thread 4711"
  std::vector<GapPartResult> parts;  // empty if causes were not looked for
};

struct GapsResult {
  std::int64_t count = 0;
  Ns total_ns = 0;                      // the idle time
  std::optional<TimeByCause> by_cause;  // of total_ns; empty if not looked for
  std::vector<GapResult> longest;
  std::vector<GapEnd> ends;  // of all explained gaps, if a timeline was asked for
};

// Returns the codes of the causes of idle time, and the idle time of each cause. The times add up
// to total_ns. The result is empty if causes were not looked for.
std::vector<std::pair<std::string_view, Ns>> times_of(const GapsResult& gaps);

// A communication kernel, and the earliest time at which the kernel could have run
// (inputs_of_communication()).
struct KernelInputs {
  std::uint32_t op = 0;  // in Device::ops
  Ns ready = 0;
  // The time that recording added to the host's own time until the call that issued the kernel,
  // since the begin of the graph. 0 if this is not known.
  Ns recorder = 0;
};

struct ScopeResult {
  Interval window;
  std::int64_t ops = 0;
  // The number of ops with impossible times that may belong to the scope. The figures leave them
  // out. If there are any, the figures are not reliable.
  std::int64_t impossible_ops = 0;
  std::vector<MeasureResult> measures;
  std::vector<StateTime> states;
  GapsResult gaps;
  std::optional<CausesResult> causes;     // absent if not asked for, or not known
  std::optional<HostActivity> host_time;  // absent if not recorded
  // The call stacks that host threads had while the critical path waited for host work between CUDA
  // calls. Set only on request. Absent if the causes come from a sample of the scope.
  std::optional<std::vector<HostStack>> host_waits;
  // Communication kernels in the order of issue. Empty if the causes come from a sample.
  std::vector<KernelInputs> inputs;
  std::vector<KernelResult> kernels;  // on request; most time first
  LaunchOrder launches;               // on request
};

// The window cut into a few hundred equal intervals. Reports draw it as one line. Other work is
// work of ops outside the scope. The sums over all intervals are the figures of the window.
struct ActivityStrip {
  std::vector<Ns> borders;  // interval i is [borders[i], borders[i + 1])
  std::array<std::vector<Ns>, all_engines.size()> busy_ns;  // by engine, then by interval
  std::vector<Ns> other_work_ns;                            // by interval
  std::vector<Ns> idle_ns;                                  // by interval

  std::size_t size() const { return idle_ns.size(); }
  Ns other_work() const {
    return std::accumulate(other_work_ns.begin(), other_work_ns.end(), Ns{0});
  }
  Ns length(std::size_t stretch) const { return borders[stretch + 1] - borders[stretch]; }
};

// What the program did before and after the steady state, whose scope is RangeResult::scope.
struct SteadyResult {
  SteadyState state;
  Rest before;
  Rest after;
};

// The open time of NVTX ranges (open_time()): in this trace, and in bare runs (runs without CUPTI,
// `record --bare`).
struct BareWall {
  Ns recorded_ns = 0;
  // The number of compared bare runs: those with the recorded run's exit status and number of
  // ranges.
  std::int64_t runs = 0;
  Ns median_ns = 0;  // for an even number of runs, the lower of the two middle values
  Ns least_ns = 0;
  Ns most_ns = 0;
  // Whether each op ended while a range was still open. If not, the open times do not include all
  // of the work.
  bool ended_synchronized = false;
  std::string_view reason;  // why there is no comparison (a literal); then only recorded_ns is set
};

struct RangeResult {
  ScopeKind kind = ScopeKind::nvtx;  // or profiler, or steady
  std::string name;
  std::int64_t instances = 0;
  ScopeResult scope;
  std::optional<Issuers> issuers;      // of NVTX ranges
  std::optional<SteadyResult> steady;  // of a steady state
  std::optional<BareWall> bare;        // of NVTX ranges, where bare runs were made
  ActivityStrip strip;
  std::vector<EngineResult> engines;  // those with ops
};

// One interval of a series. `values` has the measures of this interval, in the order of measures().
struct SeriesBin {
  Interval window;
  std::int64_t ops = 0;
  std::vector<Value> values;
};

// How a measure varies over iterations, in its unit (ns or ratio). No value is interpolated.
struct Spread {
  const Measure* measure = nullptr;
  // The number of iterations in which the measure has a value. If it is 0, all members below are 0.
  std::int64_t defined = 0;
  double least = 0;
  double quartile1 = 0;
  double median = 0;
  double quartile3 = 0;
  double most = 0;
};

// The measures of a loop's iterations. An iteration lasts from the start of its first op to the
// start of the next iteration's first op. Its measures include all ops that run in this time.
struct IterationsResult {
  std::string range;          // as Iterations::range
  std::int64_t sequence = 0;  // as Iterations::sequence
  std::int64_t count = 0;
  std::int64_t ops_per_iteration = 0;  // the median
  std::vector<Value> first;    // of the first iteration, the warm-up; in the order of measures()
  std::vector<Spread> steady;  // over all iterations but the first and the last
};

struct DeviceResult {
  std::int64_t id = 0;
  std::string name;
  ScopeResult scope;
  bool sought_steady = false;  // whether a steady state was looked for (none: use `scope`)
  ActivityStrip strip;
  std::vector<EngineResult> engines;           // those with ops
  std::vector<StreamResult> streams;           // those with ops, by process and id
  std::vector<StreamOverlap> stream_overlaps;  // the pairs that overlap, of the busiest streams
  std::vector<ClassOverlap> class_overlaps;    // the pairs that overlap
  std::vector<CollectiveResult> collectives;   // most time first
  std::vector<OpGroup> groups;                 // most time first
  std::vector<RangeResult> ranges;             // the other scopes that have ops here
  std::vector<SeriesBin> series;               // as many intervals as were asked for
  std::optional<IterationsResult> iterations;  // if the device ran a loop
};

// Returns null if the steady state was not asked for, or if there is none.
const RangeResult* steady_state_of(const DeviceResult& device);

// Returns the steady state of a device. If there is none, returns DeviceResult::scope.
const ScopeResult& judged_of(const DeviceResult& device);

// Whether the figures of a report are reliable. The findings have no influence on this value.
enum class Trust { sound, inconclusive };

inline std::string_view name_of(Trust trust) {
  return trust == Trust::sound ? "sound" : "inconclusive";
}

struct Report {
  std::string tool_version;
  TraceFacts trace;
  std::vector<HealthRow> health;
  Trust trust = Trust::sound;
  std::vector<DeviceResult> devices;
  // The start of the first op, in ns since the session start. Instants in reports and in the user's
  // window are relative to it.
  Ns first_op = 0;
  std::optional<Interval> window;    // as asked for, in ns since the session start
  std::optional<Timeline> timeline;  // on request
  std::vector<ScopeStats> stats;     // on request
};

}  // namespace lapscope::analyzer
