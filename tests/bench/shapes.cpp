#include "tests/bench/shapes.h"

#include <algorithm>
#include <array>

#include "collector/schema/global_id.h"
#include "collector/trace/trace_file.h"
#include "collector/trace/trace_writer.h"
#include "tests/bench/synthetic_target.h"

namespace lapscope::bench {

// Adds rows, each call behind the one before it, and each kernel right behind its call. The
// recording ends after all of them: an analyzer leaves out what ran later.
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

  // Of a thread; the correlation id.
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
    std::int64_t blocks = 66;  // of 132 multiprocessors
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
    trace_.insert(row);
  }
  // Launches one that starts 3 us later, and not before `after`; its end.
  std::int64_t run(Place place, std::int64_t duration, std::int64_t after = 0,
                   const std::string& name = "kernel") {
    const std::int64_t correlation = launch();
    const std::int64_t start = std::max(now_ + 3'000, after + 1'000);
    kernel(correlation, start, start + duration, place, name);
    return start + duration;
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
    row.eventType = 59;  // push and pop
    row.rangeId = ++totals_.ranges;
    row.globalTid = schema::global_tid(synthetic_pid, thread_id(0));
    row.textId = trace_.intern(name);
    row.domainId = 0;
    trace_.insert(row);
  }

  // The event of one stream, which the other one waits for.
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
  void wait_until(std::int64_t time) { now_ = std::max(now_, time); }

 private:
  trace::TraceWriter& trace_;
  TraceShape shape_;
  Totals totals_;
  std::int64_t now_ = 500'000'000;
  std::int64_t last_end_ = 0;  // of an op
  std::int64_t correlation_ = 100;
};

namespace {

TraceShape target_of(std::int64_t devices, std::int64_t streams, std::int64_t threads) {
  TraceShape shape;
  shape.ops = 1;
  shape.devices = devices;
  shape.streams = streams;
  shape.threads = threads;
  return shape;
}

void one_stream(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 1, 1));
  std::int64_t end = 0;
  for (std::int64_t i = 0; i < rows; ++i) end = trace.run({}, 4'000, end);
}

// All ops are of one call, which is no graph launch.
void one_correlation_id(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 4, 1));
  const std::int64_t correlation = trace.launch();
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t start = trace.now() + 4'000 * (i / 2);
    trace.kernel(correlation, start, start + 7'000, {i % 4});
  }
}

// A tenth of them begin and end together, ten times, each in a stream of its own.
void one_instant(ShapeRows& trace, std::int64_t rows) {
  const std::int64_t streams = std::max<std::int64_t>(1, rows / 10);
  trace.target(target_of(1, streams, 1));
  const std::int64_t start = trace.now() + rows * 3'000;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t begins = start + i / streams * 10'000;
    trace.kernel(trace.launch(), begins, begins + 5'000, {i % streams, 0, 4});
  }
}

void many_threads(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 8, rows));
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t correlation = trace.launch(2'000, i);
    trace.kernel(correlation, trace.now() + 1'000, trace.now() + 9'000, {i % 8});
  }
}

void many_streams(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, rows, 1));
  for (std::int64_t i = 0; i < rows; ++i) trace.run({i}, 6'000);
}

// One in the other, with a kernel in each.
void deep_ranges(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 2, 1));
  const std::int64_t begin = trace.now();
  for (std::int64_t i = 0; i < rows; ++i) trace.run({i % 2}, 3'000);
  const std::int64_t end = trace.now();
  for (std::int64_t i = 0; i < rows; ++i) {
    trace.range("level " + std::to_string(i), begin + i, end - i);
  }
}

// A thousandth as many names, each of 100 KB.
void long_names(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 2, 1));
  const std::int64_t names = std::max<std::int64_t>(1, rows / 1'000);
  for (std::int64_t i = 0; i < names; ++i) {
    const std::string name = std::to_string(i) + std::string(100'000, 'x');
    const std::int64_t begin = trace.now();
    for (int k = 0; k < 3; ++k) trace.run({k % 2}, 5'000, 0, name);
    trace.range(name, begin, trace.now());
  }
}

void many_devices(ShapeRows& trace, std::int64_t rows) {
  constexpr std::int64_t devices = 200;
  trace.target(target_of(devices, 2, 1));
  for (std::int64_t i = 0; i < rows; ++i) trace.run({i % 2, i % devices}, 200'000);
}

// Pageable copies, allocations, events and waits by turns, each in a range of its own name.
void many_findings(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 4, 1));
  std::int64_t end = 0;
  for (std::int64_t i = 0; i < rows / 3; ++i) {
    const std::int64_t begin = trace.now();
    const std::int64_t copies = std::max(begin + 5'000, end + 1'000);
    const std::int64_t copied = copies + 35'000;
    const std::int64_t call = trace.call("cudaMemcpyAsync_v3020", copied - begin - 1'000);
    trace.copy_pageable(call, copies, copied, {i % 4});
    end = trace.run({i % 4}, 20'000, copied, "of " + std::to_string(i % 1'000));
    trace.wait_for_event({i % 4}, {(i + 1) % 4}, end);
    trace.call("cudaMalloc_v3020", 15'000);
    end = trace.run({(i + 1) % 4}, 20'000, end);
    if (i % 3 == 0) trace.wait_until(end);
    if (i % 3 == 0) trace.call("cudaDeviceSynchronize_v3020", 3'000);
    trace.range("part " + std::string(1 + static_cast<std::size_t>(i % 40), 'p'), begin,
                trace.now());
  }
}

// Each waits for the one before it, in the other stream.
void one_long_path(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 2, 1));
  std::int64_t end = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    end = trace.run({i % 2}, 12'000, end);
    trace.wait_for_event({i % 2}, {(i + 1) % 2}, end);
  }
}

}  // namespace

std::span<const Shape> shapes() {
  static const std::array<Shape, 10> all = {{
      {"one-stream", "ops", one_stream},
      {"one-correlation-id", "ops", one_correlation_id},
      {"one-instant", "ops", one_instant},
      {"many-threads", "threads", many_threads},
      {"many-streams", "streams", many_streams},
      {"deep-ranges", "ranges", deep_ranges, {"--range", "*"}},
      {"long-names", "hundreds of bytes", long_names, {"--range", "*"}},
      {"many-devices", "ops", many_devices},
      {"many-findings", "ops", many_findings},
      {"one-long-path", "ops", one_long_path},
  }};
  return all;
}

void write_shape(const std::filesystem::path& path, const Shape& shape, std::int64_t rows) {
  trace::remove_files(path);
  trace::TraceWriter trace(path);
  ShapeRows of(trace);
  shape.write(of, rows);
  of.finish();
}

}  // namespace lapscope::bench
