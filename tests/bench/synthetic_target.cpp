#include "tests/bench/synthetic_target.h"

#include <string>
#include <utility>

#include "collector/schema/capture_facts.h"
#include "collector/schema/global_id.h"

namespace lapscope::bench {
namespace {

constexpr std::int64_t session_start = 1'767'225'600'000'000'000;  // 2026-01-01T00:00:00Z

void write_facts(trace::TraceWriter& trace, const TraceShape& shape) {
  namespace fact = schema::fact;
  const std::string text = [&] {
    const auto option = [](const char* name, auto value) {
      return std::string(" --") + name + " " + std::to_string(value);
    };
    return "generate_trace " + std::to_string(shape.ops) + option("devices", shape.devices) +
           option("streams", shape.streams) + option("threads", shape.threads) +
           option("seed", shape.seed);
  }();
  trace.set_fact("synthetic", "made by generate_trace, version " +
                                  std::to_string(generator_version) +
                                  "; no program ran and no GPU was measured");
  trace.set_fact(fact::command, text + " (synthetic: no GPU was measured)");
  trace.set_fact(fact::created, "2026-01-01T00:00:00Z");
  trace.set_fact(fact::executable, "generate_trace");
  trace.set_fact(fact::tool_version, "synthetic");
  trace.set_fact(fact::driver_version, "none");
  trace.set_fact(fact::cupti_version, "none");
  trace.set_fact(fact::flush_period_ms, "200");
  trace.set_fact(fact::pid, std::to_string(synthetic_pid));
  trace.set_fact(fact::recording, std::string(schema::recording_state::complete));
}

void write_process(trace::TraceWriter& trace, const TraceShape& shape) {
  schema::ProcessRow process;
  process.globalPid = schema::global_pid(synthetic_pid);
  process.pid = synthetic_pid;
  process.name = "generate_trace";
  trace.insert(process);
  for (std::int64_t thread = 0; thread < shape.threads; ++thread) {
    schema::ThreadNameRow name;
    name.nameId = trace.intern("worker " + std::to_string(thread));
    name.globalTid = schema::global_tid(synthetic_pid, thread_id(thread));
    trace.insert(name);
  }
}

// Writes a GPU with the limits of an H200, which decide how many blocks run at once.
void write_gpu(trace::TraceWriter& trace, std::int64_t device) {
  schema::GpuRow gpu;
  gpu.vmId = 1;
  gpu.id = device;
  gpu.name = "synthetic GPU " + std::to_string(device);
  gpu.smCount = 132;
  gpu.threadsPerWarp = 32;
  gpu.maxWarpsPerSm = 64;
  gpu.maxBlocksPerSm = 32;
  gpu.maxRegistersPerSm = 65536;
  gpu.maxShmemPerSm = 233472;
  gpu.asyncEngines = 3;
  gpu.cuDevice = device;
  trace.insert(gpu);
}

void write_streams(trace::TraceWriter& trace, const TraceShape& shape, std::int64_t device) {
  constexpr std::int64_t non_blocking = 2;    // ENUM_CUPTI_STREAM_TYPE
  constexpr std::int64_t legacy_default = 3;  // ENUM_CUPTI_STREAM_TYPE
  schema::ContextRow context;
  context.nullStreamId = stream_id(shape, device, -1);
  context.vmId = 1;
  context.processId = synthetic_pid;
  context.deviceId = device;
  context.contextId = context_of(device);
  trace.insert(context);
  for (std::int64_t index = -1; index < shape.streams; ++index) {
    schema::StreamRow stream;
    stream.streamId = stream_id(shape, device, index);
    stream.vmId = 1;
    stream.processId = synthetic_pid;
    stream.contextId = context_of(device);
    stream.flag = index < 0 ? legacy_default : non_blocking;
    stream.priority = index < 0 ? 0 : -(index % shape.priorities);
    trace.insert(stream);
  }
}

}  // namespace

void write_target(trace::TraceWriter& trace, const TraceShape& shape) {
  write_facts(trace, shape);
  write_process(trace, shape);
  for (std::int64_t device = 0; device < shape.devices; ++device) {
    write_gpu(trace, device);
    write_streams(trace, shape, device);
  }
  schema::SessionStartRow session;
  session.utcEpochNs = session_start;
  session.utcTime = "2026-01-01T00:00:00Z";
  trace.insert(session);
}

void write_totals(trace::TraceWriter& trace, const Totals& totals) {
  const auto records = [&trace](std::int64_t kind, std::string name, std::int64_t received) {
    schema::RecordsRow row;
    row.kind = kind;  // CUpti_ActivityKind
    row.name = std::move(name);
    row.enableResult = 0;
    row.received = received;
    trace.insert(row);
  };
  records(1, "MEMCPY", totals.memcpys);
  records(2, "MEMSET", totals.memsets);
  records(5, "RUNTIME", totals.calls);
  records(10, "CONCURRENT_KERNEL", totals.kernels);
  records(12, "MARKER", 2 * totals.ranges);  // one for each begin and each end
  records(17, "OVERHEAD", totals.overheads);
  records(36, "CUDA_EVENT", totals.events);
  records(38, "SYNCHRONIZATION", totals.synchronizations);
  for (const auto& [label, time] : {std::pair{"start", std::int64_t{0}}, {"end", totals.end}}) {
    trace.insert(schema::ClockRow{label, session_start + time, time, time, time});
  }
}

}  // namespace lapscope::bench
