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

// The data to draw a trace: every op, call and range of the evaluated time, as plain columns. Texts
// are stored as indices in Timeline::names.
namespace lapscope::analyzer {

struct DeviceResult;  // defined in report.h, which includes this header

// One stream's ops on one engine, by start. They may overlap (StreamResult::self_overlap_ns).
struct TimelineLane {
  std::int64_t device = 0;  // its id
  Engine engine = Engine::compute;
  Stream stream;
  std::vector<Ns> start;
  std::vector<Ns> end;
  std::vector<Bytes> bytes;  // of copies and memsets, else 0
  std::vector<std::uint32_t> name;
  std::vector<std::uint32_t> geometry;  // of kernels, in Timeline::geometries; else no_index
  std::vector<std::uint32_t> call;      // index of the issuing call over all threads; or no_index

  std::size_t size() const { return start.size(); }
};

struct TimelineSpans {
  std::vector<Ns> start;
  std::vector<Ns> end;
  std::vector<std::uint32_t> name;
  // The meaning of an element depends on the kind of intervals:
  // - For calls, it is an index in Timeline::sites: the place of the call in the program. It is
  //   no_index if the place is not known. The vector is empty if the trace has no call stacks.
  // - For samples of a thread, it is an index in Timeline::host_work.
  // - For ranges, the vector is empty.
  std::vector<std::uint32_t> site = {};

  std::size_t size() const { return start.size(); }
};

// A place where calls were made, as in CallSite.
struct TimelineSite {
  std::vector<StackFrame> stack;
  std::vector<StackFrame> forward_stack;
};

// What a thread did between its calls. The function's name is in TimelineSpans::name.
struct TimelineHostWork {
  HostKind kind = HostKind::unknown;
  ThreadState state = ThreadState::unknown;
  std::string file;       // empty when not known
  std::int64_t line = 0;  // 0 when not known
  std::string caller;     // as HostPart::caller

  friend auto operator<=>(const TimelineHostWork&, const TimelineHostWork&) = default;
};

struct TimelineThread {
  std::uint32_t pid = 0;
  std::uint32_t tid = 0;
  TimelineSpans calls;   // outermost calls by start, then nested calls by start
  TimelineSpans ranges;  // NVTX, by start; of equal starts the longer first
  // What the thread did according to samples (HostPartition::slices_of). The name of an interval is
  // the function that ran. If the function is not known, the name is the kind of work. Thousands of
  // calls may lie in one interval.
  TimelineSpans seen = {};
};

// Returns TimelineThread::seen without the time in calls: what the thread did between its calls.
TimelineSpans between_calls(const TimelineThread& thread);

struct Timeline {
  // The interval that is drawn. It contains all ops, and all calls that issued them. Other calls
  // and ranges may reach beyond this interval.
  Interval extent;
  std::vector<TimelineLane> lanes;               // those with ops: by device, engine, stream
  std::vector<TimelineThread> threads;           // those with calls or ranges
  std::vector<std::string> names;                // as in the trace: any bytes
  std::vector<LaunchGeometry> geometries;        // of all devices
  std::vector<TimelineSite> sites;               // of the calls, each once
  std::vector<TimelineHostWork> host_work = {};  // without duplicates

  std::size_t ops() const;
  std::size_t calls() const;
};

// Returns the ops that reach into the windows of the devices, and the calls that issued these ops.
// Timeline::extent is the smallest interval with all these ops and calls. Other calls, NVTX ranges
// and host activity in this interval are added. The timeline takes about 40 bytes per op and 20
// bytes per call. `communication`: for each name of the trace, whether kernels of this name
// communicate. `host` is null if the trace does not record what threads did between calls.
Timeline timeline_of(const Trace& trace, const std::vector<bool>& communication,
                     const std::vector<DeviceResult>& devices, const HostPartition* host);

}  // namespace lapscope::analyzer
