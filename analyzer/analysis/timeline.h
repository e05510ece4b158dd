#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/host_time/partition.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/ops.h"
#include "analyzer/model/trace.h"

// What was drawn out of a trace to be looked at: every op, call and range of the evaluated time, as
// plain columns. Texts are indices into Timeline::names.
namespace lapscope::analyzer {

struct DeviceResult;  // of report.h, which has a timeline

// The ops of one stream on one engine, by start; they overlap where the stream does with itself.
struct TimelineLane {
  std::int64_t device = 0;  // its id
  Engine engine = Engine::compute;
  Stream stream;
  std::vector<Ns> start;
  std::vector<Ns> end;
  std::vector<Bytes> bytes;  // of copies and memsets, else 0
  std::vector<std::uint32_t> name;
  std::vector<std::uint32_t> geometry;  // of kernels, in Timeline::geometries; else no_index
  std::vector<std::uint32_t> call;  // that issued it: over all threads, in their order; or no_index

  std::size_t size() const { return start.size(); }
};

// Intervals of a host thread.
struct TimelineSpans {
  std::vector<Ns> start;
  std::vector<Ns> end;
  std::vector<std::uint32_t> name;
  // For calls, where in the program they are: in Timeline::sites; no_index when not known. Empty
  // for ranges, and where the trace has no call stacks. For samples of a thread, in
  // Timeline::host_work.
  std::vector<std::uint32_t> site = {};

  std::size_t size() const { return start.size(); }
};

// Where calls were made: the stack, and the stack of the forward operator, as in CallSite.
struct TimelineSite {
  std::vector<StackFrame> stack;
  std::vector<StackFrame> forward_stack;
};

// What a thread did between its calls, beside the name of the function.
struct TimelineHostWork {
  HostKind kind = HostKind::unknown;
  ThreadState state = ThreadState::unknown;
  std::string file;       // empty when not known
  std::int64_t line = 0;  // 0 likewise
  std::string caller;     // as HostPart::caller

  friend auto operator<=>(const TimelineHostWork&, const TimelineHostWork&) = default;
};

struct TimelineThread {
  std::uint32_t pid = 0;
  std::uint32_t tid = 0;
  TimelineSpans calls;   // outermost ones by start, then those inside others by start
  TimelineSpans ranges;  // NVTX, by start; of equal starts the longer first
  // What samples saw (HostPartition::slices_of), by function, or the name of the kind where that is
  // not known; calls may lie within, of which there may be thousands.
  TimelineSpans seen = {};
};

// The same, cut by the thread's calls: what it did between them.
TimelineSpans between_calls(const TimelineThread& thread);

struct Timeline {
  // From the first op or the call that issued it to the last op; other calls and ranges may reach
  // beyond.
  Interval extent;
  std::vector<TimelineLane> lanes;               // those with ops: by device, engine, stream
  std::vector<TimelineThread> threads;           // those with calls or ranges
  std::vector<std::string> names;                // as in the trace: any bytes
  std::vector<LaunchGeometry> geometries;        // of all devices
  std::vector<TimelineSite> sites;               // those of its calls, each once
  std::vector<TimelineHostWork> host_work = {};  // each once

  std::size_t ops() const;
  std::size_t calls() const;
};

// The ops of the given devices that reach into their windows, the calls that issued them, and what
// else the host did from the first of all these to the last. The cost is about the size of the
// result: 40 bytes an op, 20 a call. `host` is null where it is not recorded what threads did.
// `communication` is by index in the trace's names.
Timeline timeline_of(const Trace& trace, const std::vector<bool>& communication,
                     const std::vector<DeviceResult>& devices, const HostPartition* host);

}  // namespace lapscope::analyzer
