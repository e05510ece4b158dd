#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "collector/schema/global_id.h"
#include "collector/trace/trace_writer.h"
#include "tests/bench/synthetic_target.h"

namespace lapscope::bench {

// Adds rows to a trace. Calls follow each other, and each kernel follows its call. The recording
// ends after the last row, because an analyzer ignores later ops.
class ShapeRows {
 public:
  explicit ShapeRows(trace::TraceWriter& trace) : trace_(trace) {}

  void target(TraceShape shape) {
    shape_ = shape;
    write_target(trace_, shape_);
  }
  void finish() {
    totals_.end = std::max(now_, last_end_) + 1'000'000;
    write_totals(trace_, totals_);
    trace_.finish();
  }

  // Adds a call of a thread. Returns the correlation id.
  std::int64_t call(const char* function, std::int64_t duration = 2'000, std::int64_t thread = 0) {
    schema::ApiCallRow row;
    row.start = now_;
    row.end = now_ + duration;
    row.globalTid = schema::global_tid(synthetic_pid, thread_id(thread));
    row.correlationId = ++correlation_;
    row.nameId = trace_.intern(function);
    row.cbid = 0;
    trace_.insert(row);
    ++totals_.calls;
    now_ = row.end + 500;
    return correlation_;
  }
  std::int64_t launch(std::int64_t duration = 2'000, std::int64_t thread = 0) {
    return call("cudaLaunchKernel_v7000", duration, thread);
  }

  struct Place {
    std::int64_t stream = 0;
    std::int64_t device = 0;
    std::int64_t blocks = 66;  // the device has 132 multiprocessors
  };
  template <class Row>
  Row row_of(std::int64_t correlation, std::int64_t start, std::int64_t end, Place place) {
    last_end_ = std::max(last_end_, end);
    Row row;
    row.start = start;
    row.end = end;
    row.deviceId = place.device;
    row.contextId = context_of(place.device);
    row.streamId = stream_id(shape_, place.device, place.stream);
    row.correlationId = correlation;
    row.globalPid = schema::global_pid(synthetic_pid);
    return row;
  }
  void kernel(std::int64_t correlation, std::int64_t start, std::int64_t end, Place place,
              const std::string& name = "kernel") {
    trace_.insert(kernel_row(correlation, start, end, place, name));
  }
  // Launches a kernel. It starts 3 us after the launch, but not before `after` + 1 us. Returns the
  // kernel's end.
  std::int64_t run(Place place, std::int64_t duration, std::int64_t after = 0,
                   const std::string& name = "kernel") {
    const std::int64_t correlation = launch();
    const std::int64_t start = std::max(now_ + 3'000, after + 1'000);
    kernel(correlation, start, start + duration, place, name);
    return start + duration;
  }

  // Adds a kernel node of a graph. `correlation`: the id of the call that launched the graph.
  void node(std::int64_t correlation, std::int64_t id, std::int64_t start, std::int64_t end,
            Place place) {
    schema::KernelRow row = kernel_row(correlation, start, end, place, "node");
    row.graphId = 1;
    row.graphNodeId = id;
    trace_.insert(row);
  }

  void copy_pageable(std::int64_t correlation, std::int64_t start, std::int64_t end, Place place) {
    auto row = row_of<schema::MemcpyRow>(correlation, start, end, place);
    row.channelId = 2;
    row.channelType = 2;
    row.bytes = 1 << 20;
    row.copyKind = 1;
    row.srcKind = 0;
    row.dstKind = 2;
    trace_.insert(row);
    ++totals_.memcpys;
  }

  void range(const std::string& name, std::int64_t start, std::int64_t end) {
    schema::NvtxRow row;
    row.start = start;
    row.end = end;
    row.eventType = 59;  // push/pop
    row.rangeId = ++totals_.ranges;
    row.globalTid = schema::global_tid(synthetic_pid, thread_id(0));
    row.textId = trace_.intern(name);
    row.domainId = 0;
    trace_.insert(row);
  }

  // Stream `recorded` records an event, and stream `waiting` waits for it.
  void wait_for_event(const Place& recorded, const Place& waiting, std::int64_t time) {
    schema::CudaEventRow event;
    event.timestamp = time;
    event.deviceId = recorded.device;
    event.contextId = context_of(recorded.device);
    event.streamId = stream_id(shape_, recorded.device, recorded.stream);
    event.correlationId = call("cudaEventRecord_v3020", 800);
    event.globalPid = schema::global_pid(synthetic_pid);
    event.eventId = 1;
    event.eventSyncId = ++totals_.events;
    trace_.insert(event);
    schema::SynchronizationRow row;
    row.start = now_ + 100;
    row.end = now_ + 400;
    row.correlationId = call("cudaStreamWaitEvent_v3020", 600);
    row.deviceId = waiting.device;
    row.contextId = context_of(waiting.device);
    row.streamId = stream_id(shape_, waiting.device, waiting.stream);
    row.globalPid = schema::global_pid(synthetic_pid);
    row.syncType = 2;  // a stream waits for an event
    row.eventId = 1;
    row.eventSyncId = totals_.events;
    row.returnValue = 0;
    trace_.insert(row);
    ++totals_.synchronizations;
  }

  std::int64_t now() const { return now_; }
  // Sets the begin of the next call. It may be earlier than the begin of previous calls.
  void go_back_to(std::int64_t time) { now_ = time; }
  void wait_until(std::int64_t time) { now_ = std::max(now_, time); }

 private:
  schema::KernelRow kernel_row(std::int64_t correlation, std::int64_t start, std::int64_t end,
                               Place place, const std::string& name) {
    auto row = row_of<schema::KernelRow>(correlation, start, end, place);
    row.channelId = 1;
    row.channelType = 1;
    row.demangledName = row.shortName = trace_.intern(name);
    row.mangledName = row.shortName;
    row.registersPerThread = 32;
    row.gridX = place.blocks;
    row.gridY = row.gridZ = 1;
    row.blockX = 256;
    row.blockY = row.blockZ = 1;
    row.gridId = ++totals_.kernels;
    return row;
  }

  trace::TraceWriter& trace_;
  TraceShape shape_;
  Totals totals_;
  std::int64_t now_ = 500'000'000;
  std::int64_t last_end_ = 0;  // of any op
  std::int64_t correlation_ = 100;
};

}  // namespace lapscope::bench
