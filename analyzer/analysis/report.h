#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/gaps/gap.h"
#include "analyzer/measures/measure.h"
#include "analyzer/measures/states.h"
#include "analyzer/model/trace.h"

// The result of an analysis as plain values. Renderers depend on this header and never on how the
// values came about.
namespace lapscope::analyzer {

struct MeasureResult {
  const Measure* measure = nullptr;  // name, unit and definition
  Value value;
};

struct EngineResult {
  Engine engine = Engine::compute;
  std::int64_t busy_ns = 0;
  std::int64_t ops = 0;
};

struct StreamResult {
  Stream stream;
  std::int64_t ops = 0;
  std::int64_t busy_ns = 0;
};

// |∪a ∩ ∪b| of two streams.
struct StreamOverlap {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::int64_t ns = 0;
};

// All ops of one kernel, or of one sort of copy, that are told apart by name.
struct OpGroup {
  std::string name;
  Engine engine = Engine::compute;
  std::int64_t ops = 0;
  std::int64_t sum_ns = 0;  // Σ|op|
  std::int64_t bytes = 0;   // 0 for kernels
};

struct GapPartResult {
  GapCause cause = GapCause::unexplained;
  Interval interval;
  std::string
      detail;  // the call that held the thread up, and the NVTX range it was in; may be empty
};

struct GapResult {
  Interval interval;
  std::string next;    // the op that ended it
  std::string thread;  // that issued it, as "thread 4711"
  std::vector<GapPartResult> parts;
};

struct GapsResult {
  std::int64_t count = 0;
  std::int64_t total_ns = 0;  // the idle time: the sum of short_ns and by_cause
  std::int64_t short_count = 0;
  std::int64_t short_ns = 0;
  std::array<std::int64_t, gap_causes> by_cause{};
  std::vector<GapResult> longest;
};

// One stretch that was judged: the whole device, a window, or an NVTX range.
struct ScopeResult {
  Interval window;
  std::int64_t ops = 0;
  std::vector<MeasureResult> measures;
  std::vector<StateTime> states;
  GapsResult gaps;
};

struct RangeResult {
  std::string name;
  std::int64_t instances = 0;
  ScopeResult scope;
};

struct DeviceResult {
  std::int64_t id = 0;
  std::string name;
  ScopeResult scope;
  std::vector<EngineResult> engines;           // those with ops
  std::vector<StreamResult> streams;           // those with ops, by id
  std::vector<StreamOverlap> stream_overlaps;  // the pairs that overlap, of the busiest streams
  std::vector<OpGroup> groups;                 // most time first
  std::vector<RangeResult> ranges;             // those asked for that caused work here
};

// Whether the figures can be relied on. Causes of serialization are not judged here.
enum class Trust { sound, inconclusive };

struct Report {
  std::string tool_version;
  TraceFacts trace;
  std::vector<HealthRow> health;
  Trust trust = Trust::sound;
  std::vector<DeviceResult> devices;
};

}  // namespace lapscope::analyzer
