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
#include "analyzer/measures/measure.h"
#include "analyzer/model/trace.h"
#include "analyzer/scope/range_work.h"
#include "analyzer/scope/scope.h"

// The result of an analysis as plain values. Renderers depend on this header and never on how the
// values came about.
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
  // launch, or a few ns by which the clocks of device and host were fitted wrongly.
  Ns self_overlap_ns = 0;
};

// |∪a ∩ ∪b| of two streams.
struct StreamOverlap {
  Stream a;
  Stream b;
  Ns ns = 0;
};

// |∪a ∩ ∪b| of two engines.
struct ClassOverlap {
  std::string_view a;
  std::string_view b;
  Ns ns = 0;
};

// All communication kernels of one name.
struct CollectiveResult {
  std::string name;
  std::int64_t ops = 0;
  Ns sum_ns = 0;     // Σ|op|
  Ns hidden_ns = 0;  // the part of it beside compute
};

// All ops of one kernel, or of one sort of copy, that are distinguished by name.
struct OpGroup {
  std::string name;
  Engine engine = Engine::compute;
  std::int64_t ops = 0;
  Ns sum_ns = 0;    // Σ|op|
  Bytes bytes = 0;  // 0 for kernels

  // For copies and memsets: bytes over the time that they took in full.
  std::optional<std::int64_t> bytes_per_s;
  // The rate of the quickest copy of 1 MiB or more.
  std::optional<std::int64_t> best_bytes_per_s;
  // What the copies' link carries in one direction. Absent when it is not known, and when a copy
  // was quicker: then the link was not what CUPTI reported.
  std::optional<std::int64_t> link_bytes_per_s;
};

// All ops of one kernel in a scope.
struct KernelResult {
  std::string name;
  std::int64_t ops = 0;
  Ns sum_ns = 0;     // Σ|op|
  Ns shared_ns = 0;  // the part of it in which another op, of any sort, was active
};

// How long ops, or calls, of one name took, one by one.
struct Durations {
  std::int64_t count = 0;
  Ns sum_ns = 0;
  Ns least_ns = 0;
  Ns median_ns = 0;  // the lower one of two
  Ns most_ns = 0;
  double deviation_ns = 0;  // standard, of a sample; 0 of one

  double average_ns() const { return static_cast<double>(sum_ns) / static_cast<double>(count); }
};

struct StatsRow {
  std::string name;
  std::optional<std::int64_t> device;  // id; calls have none
  Durations durations;
  Bytes bytes = 0;                               // of copies and memsets
  std::optional<std::int64_t> bytes_per_s = {};  // likewise, as in OpGroup
};

// Where the time of a scope, of all its devices, went by name: in each table most time first.
struct ScopeStats {
  ScopeKind kind = ScopeKind::device;
  std::string name;  // of a range
  Interval window;
  std::vector<StatsRow> kernels = {};
  std::vector<StatsRow> copies = {};  // and memsets
  // Calls of CUDA that lie in no other one, from the first that issued work of the scope until that
  // work ended; of the whole run all.
  std::vector<StatsRow> calls = {};
};

// The kernels that one instance of a scope launches, in the order of their issue. Only the order
// that most instances have is counted. An instance is one of an NVTX range, or an iteration of the
// device's loop; without any it is the whole scope.
struct LaunchOrder {
  std::int64_t instances = 0;
  std::vector<std::string> names;
  struct Launch {
    std::uint32_t name = 0;   // in names
    std::vector<Ns> ns;       // durations, an instance each: of many, as many as are compared
    std::int64_t blocks = 0;  // of its grid; 0 where not known, or another in each instance
  };
  std::vector<Launch> launches;  // empty when an instance has too many to list one by one
};

struct GapPartResult {
  Cause cause = Cause::unexplained;
  Interval interval;
  std::string
      detail;  // the call that delayed the thread, and the NVTX range it was in; may be empty
};

struct GapResult {
  Interval interval;
  std::string next;                  // the op that ended it
  std::string thread;                // that issued it, as "thread 4711"
  std::vector<GapPartResult> parts;  // none where causes were not looked for
};

struct GapsResult {
  std::int64_t count = 0;
  Ns total_ns = 0;  // the idle time
  std::int64_t short_count = 0;
  Ns short_ns = 0;
  std::optional<TimeByCause> by_cause;  // the rest; empty where causes were not looked for
  std::vector<GapResult> longest;
  std::vector<GapEnd> ends;  // of all that were explained, when a timeline was asked for
};

// The idle time by code as far as there is any, in the order of causes, the sum of the short gaps
// as "short" last. It sums to total_ns; nothing where causes were not looked for.
std::vector<std::pair<std::string_view, Ns>> times_of(const GapsResult& gaps);

// One interval that was evaluated: the whole device, a window, or an NVTX range.
struct ScopeResult {
  Interval window;
  std::int64_t ops = 0;
  // Ops that may belong to it and were left out, as their times cannot be right: nothing that is
  // reported of it can be relied on then.
  std::int64_t impossible_ops = 0;
  std::vector<MeasureResult> measures;
  std::vector<StateTime> states;
  GapsResult gaps;
  std::optional<CausesResult> causes;     // absent when they were not asked for, or are not known
  std::optional<HostActivity> host_time;  // absent where it is not recorded
  // Its stacks while the device waited for what the host did between calls, where asked for; absent
  // where causes come from a sample of the scope, too.
  std::optional<std::vector<HostStack>> host_waits;
  std::vector<KernelResult> kernels;  // most time first, when they were asked for
  LaunchOrder launches;               // likewise
};

// How busy each engine was in each of a few hundred equal intervals of the window: the data for a
// picture of it in one line. Adds up to the time of each engine, of other work (of ops that do not
// belong to the scope), and to the idle time.
struct ActivityStrip {
  std::vector<Ns> borders;  // interval i is [borders[i], borders[i + 1])
  std::array<std::vector<Ns>, all_engines.size()> busy_ns;  // by engine, then by interval
  std::vector<Ns> other_work_ns;                            // by interval
  std::vector<Ns> idle_ns;                                  // likewise

  std::size_t size() const { return idle_ns.size(); }
  Ns other_work() const {
    return std::accumulate(other_work_ns.begin(), other_work_ns.end(), Ns{0});
  }
  Ns length(std::size_t stretch) const { return borders[stretch + 1] - borders[stretch]; }
};

// What is known of a steady state besides its scope.
struct SteadyResult {
  SteadyState state;
  Rest before;
  Rest after;
};

// What the host took for an NVTX range in this trace, and in runs of the program without CUPTI that
// `record --bare` made: from open to close, all ranges of its name added up.
struct BareWall {
  Ns recorded_ns = 0;
  // Counts the bare runs that ended as the recorded one did and had as many ranges of the name.
  std::int64_t runs = 0;
  Ns median_ns = 0;  // the lower one of two
  Ns least_ns = 0;
  Ns most_ns = 0;
  // Whether all GPU work of the ranges had ended when they were closed: else what the GPU took is
  // not in these times.
  bool ended_synchronized = false;
  std::string_view reason;  // why there is none (a literal); then only recorded_ns has a value
};

// An interval that is evaluated besides a whole device.
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

// An interval of a series: the measures, in the order of measures(), of what ran in it.
struct SeriesBin {
  Interval window;
  std::int64_t ops = 0;
  std::vector<Value> values;
};

// How a measure varies over iterations. Quartiles are values that occurred, ns or ratio by the
// measure's unit.
struct Spread {
  const Measure* measure = nullptr;
  std::int64_t defined = 0;  // iterations in which the measure has a value; the rest is 0 if none
  double least = 0;
  double quartile1 = 0;
  double median = 0;
  double quartile3 = 0;
  double most = 0;
};

// The measures of a loop, iteration by iteration. An iteration lasts from the first start of its
// ops to the first start of the next one's, so that iterations fill the loop however much they
// overlap; it is evaluated by all that ran meanwhile.
struct IterationsResult {
  std::string range;          // as of Iterations
  std::int64_t sequence = 0;  // likewise
  std::int64_t count = 0;
  std::int64_t ops_per_iteration = 0;  // the median
  std::vector<Value> first;            // in the order of measures(): the warm-up, kept apart
  std::vector<Spread> steady;          // over the iterations but the first and the last
};

struct DeviceResult {
  std::int64_t id = 0;
  std::string name;
  ScopeResult scope;
  bool sought_steady = false;  // where there is none, it is evaluated as a whole for that
  ActivityStrip strip;
  std::vector<EngineResult> engines;           // those with ops
  std::vector<StreamResult> streams;           // those with ops, by id
  std::vector<StreamOverlap> stream_overlaps;  // the pairs that overlap, of the busiest streams
  std::vector<ClassOverlap> class_overlaps;    // the pairs that overlap
  std::vector<CollectiveResult> collectives;   // most time first
  std::vector<OpGroup> groups;                 // most time first
  std::vector<RangeResult> ranges;             // those evaluated that caused work here
  std::vector<SeriesBin> series;               // as many as were asked for
  std::optional<IterationsResult> iterations;  // when the device did the same over and over
};

// The steady state of a device; null when it was not asked for, or there is none.
const RangeResult* steady_state_of(const DeviceResult& device);

// What is evaluated of a device where nothing was named: its steady state, else all of it.
const ScopeResult& judged_of(const DeviceResult& device);

// Whether the figures can be relied on. Causes of serialization are not evaluated here.
enum class Trust { sound, inconclusive };

struct Report {
  std::string tool_version;
  TraceFacts trace;
  std::vector<HealthRow> health;
  Trust trust = Trust::sound;
  std::vector<DeviceResult> devices;
  // From where instants are shown, and a window is asked for, in ns since the session start.
  Ns first_op = 0;
  std::optional<Interval> window;    // that was asked for, in ns since the session start
  std::optional<Timeline> timeline;  // when it was asked for
  std::vector<ScopeStats> stats;     // likewise
};

}  // namespace lapscope::analyzer
