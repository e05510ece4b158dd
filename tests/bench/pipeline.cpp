#include "tests/bench/pipeline.h"

#include <algorithm>
#include <string>

#include "collector/schema/global_id.h"

namespace lapscope::bench {
namespace {

constexpr std::int64_t first_call = 500'000'000;  // ns; a program needs about this time to start
constexpr std::int64_t steps_per_epoch = 64;
constexpr std::int64_t steps_per_sync = 4;

}  // namespace

Pipeline::Pipeline(trace::TraceWriter& trace, const TraceShape& shape)
    : trace_(trace),
      shape_(shape),
      random_(shape.seed),
      launch_kernel_(function("cudaLaunchKernel_v7000", 211)),
      memcpy_async_(function("cudaMemcpyAsync_v3020", 41)),
      memset_async_(function("cudaMemsetAsync_v3020", 51)),
      event_record_(function("cudaEventRecord_v3020", 135)),
      stream_wait_event_(function("cudaStreamWaitEvent_v3020", 147)),
      stream_synchronize_(function("cudaStreamSynchronize_v3020", 131)),
      event_synchronize_(function("cudaEventSynchronize_v3020", 137)),
      device_synchronize_(function("cudaDeviceSynchronize_v3020", 165)),
      epoch_name_(trace.intern("epoch")),
      step_name_(trace.intern("step")),
      compute_name_(trace.intern("compute")),
      devices_(static_cast<std::size_t>(shape.devices)) {
  name_kernels();
  for (std::int64_t thread = 0; thread < shape.threads; ++thread) {
    threads_.push_back({schema::global_tid(synthetic_pid, thread_id(thread)), {}, first_call});
    threads_.back().epoch_start = first_call;
  }
  // Consecutive streams are on different devices.
  for (std::int64_t index = 0; index < shape.streams; ++index) {
    for (std::int64_t device = 0; device < shape.devices; ++device) {
      threads_[streams_.size() % threads_.size()].streams.push_back(streams_.size());
      streams_.push_back({stream_id(shape, device, index), device});
    }
  }
}

Pipeline::Function Pipeline::function(std::string_view name, std::int64_t cbid) {
  return {trace_.intern(name), cbid};
}

void Pipeline::name_kernels() {
  for (std::int64_t index = 0; index < kernel_names; ++index) {
    const std::string digits = std::to_string(100 + index).substr(1);
    const std::string brief = "synthetic_stage_" + digits;
    Kernel kernel;
    kernel.brief = trace_.intern(brief);
    kernel.mangled = trace_.intern("_ZN9synthetic18" + brief + "IfLi4EEEvPKT_PS1_i");
    kernel.demangled =
        trace_.intern("void synthetic::" + brief + "<float, 4>(float const*, float*, int)");
    kernel.registers = 16 + 8 * random_.between(0, 15);
    kernel.block = std::int64_t{128} << random_.between(0, 3);
    kernel.shared_memory = random_.one_in(3) ? 4096 * random_.between(1, 12) : 0;
    kernel.duration = random_.between(4'000, 60'000);
    kernels_.push_back(kernel);
  }
}

void Pipeline::run() {
  constexpr std::int64_t steps_per_commit = 8192;  // bounds the -wal file, as a collector does
  for (std::int64_t steps = 1; !done(); ++steps) {
    // The thread with the earliest clock makes the next step, so engines run work in the order of
    // issue.
    step(*std::min_element(threads_.begin(), threads_.end(),
                           [](const Thread& a, const Thread& b) { return a.clock < b.clock; }));
    if (steps % steps_per_commit == 0) trace_.commit();
  }
  for (Thread& thread : threads_) {
    synchronize(thread, streams_[thread.streams.front()]);
    end_epoch(thread);
    totals_.end = std::max(totals_.end, thread.clock);
  }
  for (const Stream& stream : streams_) totals_.end = std::max(totals_.end, stream.ready);
}

void Pipeline::step(Thread& thread) {
  const auto turn = static_cast<std::size_t>(thread.steps) % thread.streams.size();
  Stream& stream = streams_[thread.streams[turn]];
  const std::int64_t start = thread.clock;
  thread.clock += random_.between(300, 900);
  if (thread.steps % 8 == 0) clear(thread, stream);
  copy(thread, stream, true);
  const Stream& neighbour = streams_[thread.streams[(turn + 1) % thread.streams.size()]];
  if (thread.steps % 16 == 5) wait_event(thread, stream, neighbour);
  const std::int64_t compute_start = thread.clock;
  thread.clock += random_.between(100, 300);
  for (std::int64_t left = random_.between(2, 5); left > 0; --left) launch(thread, stream);
  range(thread, compute_name_, compute_start);
  if (thread.steps % 4 == 1) record_event(thread, stream);
  copy(thread, stream, false);
  if (thread.steps % steps_per_sync == steps_per_sync - 1) synchronize(thread, stream);
  range(thread, step_name_, start);
  if (++thread.steps % steps_per_epoch == 0) end_epoch(thread);
  // In one of 40 steps, the host does other work and the GPU becomes idle.
  thread.clock +=
      random_.one_in(40) ? random_.between(100'000, 2'000'000) : random_.between(1'000, 8'000);
}

void Pipeline::end_epoch(Thread& thread) {
  range(thread, epoch_name_, thread.epoch_start);
  thread.epoch_start = thread.clock;
}

void Pipeline::synchronize(Thread& thread, Stream& stream) {
  const auto wait_until = [&](std::int64_t time) {
    return std::max(random_.between(900, 1'500),
                    time - thread.clock + random_.between(2'000, 5'000));
  };
  if (random_.one_in(16)) {
    std::int64_t ready = 0;
    for (const Stream& other : streams_) {
      if (other.device == stream.device) ready = std::max(ready, other.ready);
    }
    const Call waited = call(thread, device_synchronize_, wait_until(ready));
    synchronization(waited, stream, SyncType::context);
  } else if (stream.event != 0 && random_.one_in(4)) {
    const Call waited = call(thread, event_synchronize_, wait_until(stream.event_time));
    synchronization(waited, stream, SyncType::event, &stream);
  } else {
    const Call waited = call(thread, stream_synchronize_, wait_until(stream.ready));
    synchronization(waited, stream, SyncType::stream);
  }
}

}  // namespace lapscope::bench
