#include "analyzer/reader/read_trace.h"

#include <algorithm>
#include <cstdlib>
#include <future>
#include <limits>
#include <tuple>
#include <utility>

#include "analyzer/model/call_costs.h"
#include "analyzer/model/evidence.h"
#include "analyzer/model/limits.h"
#include "analyzer/nsys/contexts.h"
#include "analyzer/nsys/diagnostics.h"
#include "analyzer/nsys/gpus.h"
#include "analyzer/nsys/host_states.h"
#include "analyzer/nsys/loads.h"
#include "analyzer/reader/cpu_times.h"
#include "analyzer/reader/holes.h"
#include "analyzer/reader/impossible_ops.h"
#include "analyzer/reader/open_trace.h"
#include "analyzer/reader/read_facts.h"
#include "analyzer/reader/read_host.h"
#include "analyzer/reader/read_ops.h"
#include "analyzer/reader/read_stretch.h"
#include "analyzer/reader/read_target.h"
#include "analyzer/reader/reading_health.h"
#include "analyzer/reader/recording_end.h"
#include "analyzer/reader/scan.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/tables.h"

namespace lapscope::analyzer {
namespace {

TraceFacts facts_of(schema::Database& database) {
  auto capture = read_capture(database);
  TraceFacts facts;
  facts.command = capture[std::string(schema::fact::command)];
  facts.created = capture[std::string(schema::fact::created)];
  facts.driver = capture[std::string(schema::fact::driver_version)];
  facts.cupti = capture[std::string(schema::fact::cupti_version)];
  facts.rank = capture[std::string(schema::fact::rank)];
  facts.recorder = "lapscope " + capture[std::string(schema::fact::tool_version)];
  return facts;
}

// The large tables, calls and ops, each by a thread of its own where the file can be opened twice.
struct LargeTables {
  ReadHost host;
  ReadOps ops;
};

LargeTables read_large_tables(OpenedTrace& opened, const std::filesystem::path& path,
                              const Names& names, std::optional<std::int64_t> recording_end,
                              Progress* progress) {
  if (!opened.is_still) {
    ReadHost host = read_host(opened.database, names, recording_end, progress);
    return {std::move(host), read_ops(opened.database, names, progress)};
  }
  auto host = std::async(std::launch::async, [&] {
    schema::Database second = open_still(path);
    return read_host(second, names, recording_end, progress);
  });
  ReadOps ops = read_ops(opened.database, names, progress);
  return {host.get(), std::move(ops)};
}

// The device's streams, those that the trace describes and those that it does not, and the ops with
// indices into them.
Device device_of(DeviceOps dealt, Gpu gpu, std::vector<Stream> streams) {
  const auto before = [](const Stream& a, const Stream& b) {
    return a.pid != b.pid ? a.pid < b.pid : a.id < b.id;
  };
  const auto place_of = [&](const OpStream& used) {
    Stream stream;
    stream.pid = used.pid;
    stream.id = used.stream;
    return std::lower_bound(streams.begin(), streams.end(), stream, before);
  };
  for (const OpStream& used : dealt.streams) {
    const auto place = place_of(used);
    if (place != streams.end() && place->pid == used.pid && place->id == used.stream) continue;
    Stream stream;
    stream.pid = used.pid;
    stream.id = used.stream;
    streams.insert(place, stream);
  }
  std::vector<std::uint32_t> index;
  for (const OpStream& used : dealt.streams) {
    index.push_back(static_cast<std::uint32_t>(place_of(used) - streams.begin()));
  }
  for (std::uint32_t& stream : dealt.ops.stream) stream = index[stream];
  return {dealt.device,       std::move(gpu.name), std::move(dealt.ops),
          std::move(streams), gpu.limits,          gpu.links};
}

void check_counts(const DealtOps& dealt, const std::string& file) {
  const auto refuse = [&file](const std::string& what, std::size_t most) {
    throw UnreadableTrace("'" + file + "' cannot be judged: it has ops on more than " +
                          std::to_string(most) + " " + what + ".");
  };
  if (dealt.devices.size() > limits::devices) refuse("devices", limits::devices);
  for (const DeviceOps& device : dealt.devices) {
    if (device.streams.size() <= limits::streams_of_device) continue;
    refuse("streams of device " + std::to_string(device.device), limits::streams_of_device);
  }
}

// Everything that adds durations of a device up relies on this.
void check_sums(const Trace& trace) {
  for (const Device& device : trace.devices) {
    std::int64_t sum = 0;
    for (std::size_t op = 0; op < device.ops.size(); ++op) {
      if (!__builtin_add_overflow(sum, device.ops.interval(op).length(), &sum)) continue;
      throw UnreadableTrace("'" + trace.facts.file +
                            "' cannot be analyzed: the durations of the ops " + "of device " +
                            std::to_string(device.id) +
                            " add up to more than 2^63 ns. Record it again.");
    }
  }
}

// Of a trace of lapscope.
Extent extent_of(const std::map<std::string, std::string, std::less<>>& capture, bool is_stretch) {
  const auto fact = [&capture](std::string_view name) {
    const auto found = capture.find(name);
    return found == capture.end() ? std::string() : found->second;
  };
  Extent extent;
  const bool is_complete = fact(schema::fact::recording) == schema::recording_state::complete;
  extent.is_whole = is_complete && !is_stretch && fact(schema::fact::yields_to_app).empty();
  constexpr std::int64_t ns_per_ms = 1'000'000;
  if (!is_complete) {
    extent.unwritten = ns_per_ms * std::clamp<std::int64_t>(
                                       std::atoll(fact(schema::fact::flush_period_ms).c_str()), 0,
                                       limits::flush_period_ms);
  }
  return extent;
}

// An export may list GPUs without what bounds them, and tell of contexts in other tables than
// traces of lapscope do.
void note_what_is_known(Trace& trace) {
  std::vector<std::string>& recorded = trace.facts.recorded;
  std::erase(recorded, "CONTEXT");
  std::erase(recorded, "DEVICE");
  const auto has_null_stream = [](const CudaContext& context) {
    return context.null_stream != no_index;
  };
  if (std::any_of(trace.contexts.begin(), trace.contexts.end(), has_null_stream)) {
    recorded.emplace_back("CONTEXT");
  }
  const auto has_limits = [](const Device& device) { return device.limits.multiprocessors > 0; };
  if (std::all_of(trace.devices.begin(), trace.devices.end(), has_limits)) {
    recorded.emplace_back("DEVICE");
  }
}

// Exports before 2022 do not say what kind a stream is; which one is the legacy default stream they
// do.
void name_null_streams(Trace& trace) {
  for (Device& device : trace.devices) {
    for (Stream& stream : device.streams) {
      if (stream.kind != StreamKind::unknown) continue;
      for (const CudaContext& context : trace.contexts) {
        if (context.pid != stream.pid || context.null_stream != stream.id) continue;
        stream.kind = StreamKind::legacy_default;
        stream.context = context.id;
      }
    }
  }
}

bool lacks_graphs(const std::vector<HealthRow>& health) {
  return std::any_of(health.begin(), health.end(),
                     [](const HealthRow& row) { return row.code == "graphs-not-traced"; });
}

// Ops that the launch of a graph issued are the graph's, also where no node is told: they have no
// order in their stream.
void mark_ops_of_graphs(Trace& trace) {
  for (Device& device : trace.devices) {
    Ops& ops = device.ops;
    for (std::size_t op = 0; op < ops.size(); ++op) {
      const std::uint32_t call = ops.issue[op];
      if (call == no_index || trace.calls.kind[call] != CallKind::graph_launch) continue;
      ops.memory[op] |= in_graph;
    }
  }
}

Trace read(OpenedTrace opened, const std::filesystem::path& path, Progress* progress) {
  Trace trace;
  std::optional<Interval> stretch;
  Extent extent;
  if (opened.format == TraceFormat::lapscope) {
    trace.facts = facts_of(opened.database);
    trace.settings = read_settings(opened.database);
    trace.health = read_health(opened.database);
    const auto capture = read_capture(opened.database);
    stretch = read_stretch(opened.database, trace.health);
    extent = extent_of(capture, stretch.has_value());
    add_untraced_graphs(opened.database, "Record without --graph-level.", trace.health);
  } else {
    extent.is_export = true;
    if (opened.format == TraceFormat::kineto) {
      trace.facts = facts_of(opened.database);
      trace.facts.recorder = "PyTorch's profiler";
      add_kineto_health(opened.database, trace.health);
    } else {
      const std::string release = nsys::product_version(opened.database);
      if (!release.empty()) trace.facts.recorder = "Nsight Systems " + release;
      add_export_health(opened.database, trace.health);
    }
  }
  trace.facts.file = path.string();
  trace.facts.format = opened.format_name;

  if (progress) {
    progress->expected += rows_at_most<schema::ApiCallRow>(opened.database) +
                          rows_at_most<schema::KernelRow>(opened.database) +
                          rows_at_most<schema::MemcpyRow>(opened.database) +
                          rows_at_most<schema::MemsetRow>(opened.database);
  }
  trace.names = read_names(opened.database);
  const std::optional<std::int64_t> recording_end = end_of_recording(opened);
  LargeTables tables = read_large_tables(opened, path, trace.names, recording_end, progress);
  if (progress) progress->begin(1, 0);
  ReadingDefects defects;
  defects.invalid_ops = tables.ops.invalid;
  defects.ops_without_stream = tables.ops.without_stream;
  defects.calls_without_thread = tables.host.calls.without_thread;
  defects.impossible_calls = tables.host.calls.impossible;
  defects.late_ranges = tables.host.late_ranges;
  defects.unfinished_ops = tables.ops.unfinished;
  trace.migrations = std::move(tables.ops.migrations);
  std::sort(trace.migrations.begin(), trace.migrations.end(),
            [](const Migration& a, const Migration& b) {
              return std::tie(a.interval.start, a.interval.end, a.device, a.bytes) <
                     std::tie(b.interval.start, b.interval.end, b.device, b.bytes);
            });
  defects.invalid_host_times = tables.host.invalid;
  defects.unplaced_synchronizations = tables.host.synchronization.without_call;
  const std::int64_t lost_calls = tables.host.synchronization.lost_calls;
  std::vector<std::uint32_t> excused = tables.host.calls.issues.ambiguous();
  defects.ambiguous_calls = static_cast<std::int64_t>(excused.size());
  const bool is_nothing_captured = stretch && stretch->length() == 0;
  const RowsRead rows = {
      tables.ops.all.kernels, tables.ops.all.copies, tables.ops.all.memsets, tables.host.calls.rows,
      tables.host.synchronization.synchronization_rows, tables.host.synchronization.event_rows,
      // What came while nothing was captured was left out on purpose.
      is_nothing_captured ? std::numeric_limits<std::int64_t>::max() : tables.host.markers};
  DealtOps dealt = deal(std::move(tables.ops), std::move(tables.host.calls.issues));
  check_counts(dealt, trace.facts.file);
  defects.unissued_ops = dealt.unissued;
  excused.insert(excused.end(), dealt.left_out.begin(), dealt.left_out.end());

  std::int64_t own_id = -1;  // StringIds has no such ids
  for (std::string& name : tables.host.own_names) trace.names.add(own_id--, std::move(name));
  const std::vector<StackOfCall> stacks = std::move(tables.host.calls.stacks);
  std::vector<Operator> operators = std::move(tables.host.operators);
  trace.calls = std::move(tables.host.calls.calls);
  trace.synchronizations = std::move(tables.host.synchronization.synchronizations);
  trace.event_records = std::move(tables.host.synchronization.event_records);
  trace.call_streams = std::move(tables.host.call_streams);
  trace.topology = std::move(tables.host.topology);
  trace.overheads = std::move(tables.host.overheads);
  trace.ranges = std::move(tables.host.ranges);
  const bool is_export = opened.format == TraceFormat::nsys;
  const auto gpus = is_export ? nsys::read_gpus(opened.database) : read_gpus(opened.database);
  trace.contexts = read_contexts(opened.database);
  if (is_export && trace.contexts.empty()) {
    trace.contexts = nsys::read_null_streams(opened.database);
    if (trace.contexts.empty()) trace.contexts = nsys::contexts_of_ops(opened.database);
  }
  if (trace.contexts.size() > limits::contexts) {
    throw UnreadableTrace("'" + trace.facts.file + "' cannot be judged: it has more than " +
                          std::to_string(limits::contexts) + " CUDA contexts.");
  }
  auto streams = read_streams(opened.database, trace.contexts);
  for (DeviceOps& device : dealt.devices) {
    const auto gpu = gpus.find(device.device);
    if (gpu == gpus.end()) defects.unknown_devices.push_back(device.device);
    trace.devices.push_back(device_of(std::move(device), gpu == gpus.end() ? Gpu{} : gpu->second,
                                      std::move(streams[device.device])));
  }
  if (extent.is_export) mark_ops_of_graphs(trace);
  leave_out_impossible_ops(recording_end, may_launch_dependents(opened.database), trace);
  for (const LeftOutOp& op : trace.left_out) {
    if (op.call != no_index) excused.push_back(op.call);
  }
  if (stretch) {
    for (Device& device : trace.devices) clip(device.ops, *stretch);
  }
  trace.stacks = read_stacks(opened.database, trace, stacks);
  give_forward_lines(trace, std::move(operators));
  trace.runs = read_runs(opened.database);
  trace.call_costs = read_call_costs(opened.database);
  trace.facts.identity = run_identity(opened.database);
  trace.facts.recorded = recorded_kinds(opened.database, opened.format);
  if (extent.is_export) note_what_is_known(trace);
  if (is_export) name_null_streams(trace);
  if (has_channels(trace.devices)) trace.facts.recorded.emplace_back(hardware_channels);
  check_sums(trace);
  defects.gpus_are_listed = is_export ? nsys::lists_gpus(opened.database) : !gpus.empty();
  if (opened.format == TraceFormat::lapscope) {
    defects.counts_vouch_for_transfers = add_lost_records(opened.database, rows, trace);
  }
  // Of part of a run the records of what was begun before are in it, and the calls are not.
  leave_out_incomplete_kinds(
      trace, lost_calls > 0 || (extent.is_whole && defects.unplaced_synchronizations > 0));
  leave_out_unsteady_costs(trace);
  trace.facts.without_cause = kinds_without_cause(trace);
  if (is_export) {
    nsys::infer_loads(trace);
    nsys::read_host_states(opened.database, trace);
  } else {
    read_cpu_times(opened.database, trace);
  }
  extent.lacks_graphs = lacks_graphs(trace.health);
  defects.holes = find_holes(opened.database, trace, extent, excused);
  add_reading_health(trace, defects);
  add_missing_names(opened.database, trace);
  add_managed_memory(opened.database, opened.format, trace);
  if (opened.format != TraceFormat::lapscope) add_missing_tables(opened.database, trace);
  return trace;
}

// What f does, with a sentence for whatever it may throw.
template <class F>
Trace or_unreadable(const std::filesystem::path& path, F&& f) {
  try {
    return f();
  } catch (const schema::MissingColumn& error) {
    throw UnreadableTrace("'" + path.string() + "' cannot be analyzed: its " + error.what() + ".");
  } catch (const schema::SqliteError& error) {
    if (schema::is_too_big(error)) {
      throw UnreadableTrace("'" + path.string() + "' cannot be judged: a row of it has more than " +
                            std::to_string(limits::row_bytes) + " bytes.");
    }
    throw UnreadableTrace("'" + path.string() + "' cannot be read: " + error.what() +
                          ". Copy or record it again.");
  } catch (const std::filesystem::filesystem_error& error) {
    throw UnreadableTrace("'" + path.string() + "' cannot be read: " + error.code().message() +
                          ".");
  }
}

}  // namespace

Trace read_trace(const std::filesystem::path& path, Progress* progress) {
  return or_unreadable(path, [&] { return read(open_trace(path), path, progress); });
}

Trace read_trace(schema::Database database, const std::filesystem::path& path, Progress* progress) {
  return or_unreadable(path, [&] {
    database.limit_rows(limits::row_bytes);
    return read(opened_trace(std::move(database), false), path, progress);
  });
}

}  // namespace lapscope::analyzer
