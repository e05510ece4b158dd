#include "tests/bench/shapes.h"

#include <algorithm>
#include <array>

#include "collector/trace/trace_file.h"
#include "collector/trace/trace_writer.h"
#include "tests/bench/shape_rows.h"

namespace lapscope::bench {

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

// One call issues all ops, without a graph.
void one_correlation_id(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 4, 1));
  const std::int64_t correlation = trace.launch();
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t start = trace.now() + 4'000 * (i / 2);
    trace.kernel(correlation, start, start + 7'000, {i % 4});
  }
}

// Ten groups of kernels. The kernels of a group run at the same time, in different streams.
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

// Nested ranges, with a kernel in each.
void deep_ranges(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 2, 1));
  const std::int64_t begin = trace.now();
  for (std::int64_t i = 0; i < rows; ++i) trace.run({i % 2}, 3'000);
  const std::int64_t end = trace.now();
  for (std::int64_t i = 0; i < rows; ++i) {
    trace.range("level " + std::to_string(i), begin + i, end - i);
  }
}

// Each 1,000 rows share a name of 100 KB.
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

// Pageable copies, allocations, events and waits alternate, in NVTX ranges with different names.
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

// Kernels alternate between two streams. Each kernel waits for the previous one.
void one_long_path(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 2, 1));
  std::int64_t end = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    end = trace.run({i % 2}, 12'000, end);
    trace.wait_for_event({i % 2}, {(i + 1) % 2}, end);
  }
}

// All ranges have ended when the first kernel starts.
void ranges_before(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 2, 1));
  const std::int64_t begin = trace.now();
  for (std::int64_t i = 0; i < rows; ++i) {
    trace.range("level " + std::to_string(i % 10), begin + i, begin + 3 * rows - i);
  }
  trace.wait_until(begin + 3 * rows);
  for (std::int64_t i = 0; i < rows; ++i) trace.run({i % 2}, 3'000);
}

// Stream 0 waits for each of the other streams in turn.
void event_fan(ShapeRows& trace, std::int64_t rows) {
  constexpr std::int64_t streams = 1'000;
  trace.target(target_of(1, streams + 1, 1));
  for (std::int64_t i = 0; i < rows / 2; ++i) {
    const std::int64_t stream = 1 + i % streams;
    const std::int64_t end = trace.run({stream}, 4'000);
    trace.wait_for_event({stream}, {0}, end);
    trace.run({0}, 1'000, end);
  }
}

// A graph of independent kernels is launched ten times, with about `rows` kernels in total. A
// launch waits for all kernels of the previous one.
void wide_graph(ShapeRows& trace, std::int64_t rows) {
  const std::int64_t width = std::max<std::int64_t>(1, rows / 10);
  trace.target(target_of(1, 8, 1));
  std::int64_t ends = 0;
  for (int launch = 0; launch < 10; ++launch) {
    const std::int64_t correlation = trace.call("cudaGraphLaunch_v10000", 5'000);
    const std::int64_t begins = std::max(trace.now() + 3'000, ends + 2'000);
    for (std::int64_t i = 0; i < width; ++i) {
      const std::int64_t start = begins + i / 8 * 4'000;
      ends = start + 3'000;
      trace.node(correlation, 1 + i, start, ends, {i % 8, 0, 16});
    }
  }
}

// Streams of three priorities run kernels that fill the GPU. Earlier kernels block later ones.
void priorities(ShapeRows& trace, std::int64_t rows) {
  TraceShape shape = target_of(1, std::max<std::int64_t>(3, rows / 10), 1);
  shape.priorities = 3;
  trace.target(shape);
  std::int64_t end = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    end = trace.run({i % shape.streams, 0, 4'000}, 20'000, end);
  }
}

// Impossible in CUDA: a stream runs all its kernels at once.
void kernels_at_once(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 1, 1));
  const std::int64_t start = trace.now() + rows * 3'000;
  for (std::int64_t i = 0; i < rows; ++i) {
    trace.kernel(trace.launch(), start, start + 5'000, {0, 0, 1});
  }
}

// Impossible in CUDA: a thread makes all its calls at once.
void calls_at_once(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 1, 1));
  const std::int64_t begin = trace.now();
  std::int64_t end = begin;
  for (std::int64_t i = 0; i < rows; ++i) {
    trace.go_back_to(begin);
    const std::int64_t correlation = trace.launch();
    trace.kernel(correlation, end + 1'000, end + 5'000, {0, 0, 1});
    end += 5'000;
  }
}

// Impossible in CUDA: the kernels of a stream begin in the reverse order of their launches.
void kernels_reversed(ShapeRows& trace, std::int64_t rows) {
  trace.target(target_of(1, 1, 1));
  const std::int64_t last = trace.now() + rows * 10'000;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t start = last - 5'000 * i;
    trace.kernel(trace.launch(), start, start + 4'000, {0, 0, 1});
  }
}

}  // namespace

std::span<const Shape> shapes() {
  static const std::array<Shape, 17> all = {{
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
      {"ranges-before", "ranges", ranges_before},
      {"event-fan", "ops", event_fan},
      {"wide-graph", "nodes", wide_graph},
      {"priorities", "streams", priorities},
      {"kernels-at-once", "ops", kernels_at_once, {}, true},
      {"calls-at-once", "calls", calls_at_once, {}, true},
      {"kernels-reversed", "ops", kernels_reversed, {}, true},
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
