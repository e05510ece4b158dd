#include "readers/kineto/import.h"

#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "analyzer/intervals/units.h"
#include "collector/process/clock.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/tables.h"
#include "readers/foreign/foreign_files.h"
#include "readers/kineto/import_tables.h"
#include "readers/kineto/kineto_events.h"
#include "readers/kineto/kineto_names.h"
#include "readers/kineto/processes.h"
#include "readers/kineto/write_call_stacks.h"

namespace lapscope::kineto {
namespace {

// Session time 0 lies this many ns (one day) before the start of the first event in the file. The
// day is a margin: events later in the file may start earlier, and no session time may be negative.
inline constexpr analyzer::Ns before_first = std::int64_t{86'400} * 1'000'000'000;

// Throws UnreadableJson if the file is not a trace of PyTorch's profiler.
void check_kind(const std::filesystem::path& path, const Header& header) {
  const auto refuse = [&path](const std::string& why) {
    throw UnreadableJson("'" + path.string() + "' " + why);
  };
  const std::string read =
      " lapscope reads its own traces, SQLite exports of Nsight Systems, exports of "
      "torch.profiler, and profiles of XProf (JAX).";
  const bool is_ours = header.is_object && header.has_events && header.is_kineto;
  if (const auto foreign =
          is_ours ? std::nullopt : analyzer::foreign_json(beginning_of_json(path))) {
    refuse(*foreign);
  }
  if (!header.is_object) {
    refuse(
        "is a JSON list. A trace that PyTorch's profiler has written since 2021 is an object "
        "with schemaVersion beside the events. The meaning of events in a list is unknown." +
        read);
  }
  if (!header.has_events) refuse("is JSON without a list of traceEvents, so not a trace." + read);
  if (!header.is_kineto) {
    refuse(
        "is a Chrome trace, but not of PyTorch's profiler: it has none of schemaVersion, "
        "deviceProperties and distributedInfo. The meaning of its events is unknown." +
        read);
  }
}

void write_devices(const Header& header, trace::TraceWriter& writer) {
  for (const DeviceProperties& device : header.devices) {
    if (!device.id) continue;
    schema::GpuRow row = device.row;
    row.vmId = 1;
    row.id = *device.id;
    row.smMajor = row.computeMajor;
    row.smMinor = row.computeMinor;
    if (device.threads_per_multiprocessor && row.threadsPerWarp.value_or(0) > 0) {
      row.maxWarpsPerSm = *device.threads_per_multiprocessor / *row.threadsPerWarp;
    }
    if (row.computeMajor && row.computeMinor) {
      row.maxBlocksPerSm = blocks_per_multiprocessor(*row.computeMajor, *row.computeMinor);
    }
    writer.insert(row);
  }
}

// `pid` is the process of the ops. `first` is the start of the first event, in ns since
// baseTimeNanoseconds.
void write_facts(const Header& header, std::optional<std::int64_t> pid,
                 std::optional<analyzer::Ns> first, trace::TraceWriter& writer) {
  namespace fact = schema::fact;
  const auto set = [&writer](std::string_view name, const std::string& value) {
    if (!value.empty()) writer.set_fact(name, value);
  };
  const std::string version = header.schema_version.empty() ? "unknown" : header.schema_version;
  set(fact::converted_from, "kineto/" + version);
  if (pid) set(fact::pid, std::to_string(*pid));
  set(fact::host, header.host);
  set(fact::rank, header.rank);
  set(fact::world_size, header.world_size);
  set(fact::cupti_version, header.cupti_version);
  analyzer::Ns first_utc = 0;
  if (!first || __builtin_add_overflow(*first, header.base_ns.value_or(0), &first_utc)) return;
  set(fact::session, header.trace_id.empty() ? std::to_string(first_utc) : header.trace_id);
  constexpr analyzer::Ns first_gpus = 1'167'609'600'000'000'000;  // 2007; earlier: no clock is set
  if (first_utc < first_gpus) return;
  set(fact::created, process::iso_utc(first_utc));
  schema::SessionStartRow row;
  row.utcEpochNs = first_utc - before_first;
  writer.insert(row);
}

using Number = std::optional<std::int64_t>;

constexpr std::int64_t none = 0xFFFFFFFF;  // the trace format's value for a missing id
constexpr analyzer::Ns unknown_time = -1;

struct Span {
  analyzer::Ns start = unknown_time;
  analyzer::Ns end = unknown_time;
};

// Kineto writes 0 for a missing value.
Number unless_zero(Number value) { return value == 0 ? std::nullopt : value; }

Number id_or_none(Number value) { return value && *value < 0 ? none : value; }

class Import : public EventReader::Taker {
 public:
  Import(const std::filesystem::path& path, trace::TraceWriter& writer, analyzer::RowLimit limit)
      : path_(path), limit_(limit), writer_(writer) {}

  void take(const Event& event) override {
    if (event.phase == "M") {
      metadata(event);
    } else if (event.phase == "X") {
      complete(event);
    }
    analyzer::check_counts(path_, tables_.counts(labels_), limit_, true);
  }

  // If the trace has work of another accelerator but no work of a GPU, returns an error text.
  std::optional<std::string> other_accelerator() const {
    return ops_ == 0 ? accelerator_ : std::nullopt;
  }

  // Writes the rows that can only be written after the whole file has been read.
  void finish(const Header& header, bool has_rest) {
    tables_.finish();
    processes_.settle(writer_.database());
    processes_.write_names(writer_);
    if (has_domain_) {
      tables_.name_domains(
          {{domain_of_operators, "PyTorch operators"}, {domain_of_python, "Python"}});
      write_call_stacks(writer_);
    }
    write_devices(header, writer_);
    write_losses(has_rest);
    write_facts(header, processes_.of_ops(), first_, writer_);
  }

 private:
  struct Op {
    Span span;
    Number device, context, stream, correlation;
    Number node, graph, channel, channel_type;
  };

  void complete(const Event& event) {
    const Category category = category_of(event.category, event.name);
    if ((category == Category::unknown || category == Category::foreign_call) && !accelerator_) {
      accelerator_ = analyzer::foreign_accelerator(event.category);
    }
    switch (category) {
      case Category::unknown:
        return;
      case Category::kernel:
        return kernel(event);
      case Category::copy:
        return copy(event);
      case Category::memset:
        return memset(event);
      case Category::runtime_call:
        return call(event, schema::codes::runtime_call);
      case Category::driver_call:
        return call(event, schema::codes::driver_call);
      case Category::foreign_call:
        ++foreign_;
        return call(event, schema::codes::runtime_call);
      case Category::annotation:
        return range(event, 0);
      case Category::op:
        return range(event, domain_of_operators);
      case Category::python:
        return range(event, domain_of_python);
      case Category::overhead:
        return overhead(event);
      case Category::sync:
        return sync(event);
      case Category::event_record:
        return add_event_record(event[Arg::correlation], event, event[Arg::stream],
                                event[Arg::event_id]);
    }
  }

  void kernel(const Event& event) {
    const Op op = op_of(event);
    const ImportTables::KernelName& name = tables_.kernel_name(event.name);
    tables_.kernels.add(
        {op.span.start, op.span.end, op.device, op.context, op.stream, op.correlation,
         processes_.global_of_ops(), name.full, name.brief, event[Arg::registers],
         event[Arg::grid_x], event[Arg::grid_y], event[Arg::grid_z], event[Arg::block_x],
         event[Arg::block_y], event[Arg::block_z],
         // Kineto records static and dynamic shared memory as one number.
         event[Arg::shared_memory] ? Number(0) : std::nullopt, event[Arg::shared_memory], op.node,
         op.graph, op.channel, op.channel_type});
  }

  void copy(const Event& event) {
    const Op op = op_of(event);
    const CopyKinds kinds = copy_kinds(event.name);
    tables_.copies.add({op.span.start, op.span.end, op.device, op.context, op.stream,
                        op.correlation, processes_.global_of_ops(), event[Arg::bytes], kinds.copy,
                        kinds.source, kinds.target, event[Arg::from_device], event[Arg::to_device],
                        op.node, op.graph, op.channel, op.channel_type});
  }

  void memset(const Event& event) {
    const Op op = op_of(event);
    tables_.memsets.add({op.span.start, op.span.end, op.device, op.context, op.stream,
                         op.correlation, processes_.global_of_ops(), event[Arg::bytes],
                         memset_kind(event.name), op.node, op.graph, op.channel, op.channel_type});
  }

  void call(const Event& event, std::int64_t event_class) {
    const Span span = span_of(event);
    const Number thread = processes_.thread_of(event.pid, event.tid);
    if (event.pid) processes_.calls(*event.pid);
    if (event.name == "INVALID") ++nameless_;
    tables_.calls.add({span.start, span.end, event_class, thread, id(event, Arg::correlation),
                       writer_.intern(event.name), event[Arg::cbid]});
  }

  void range(const Event& event, std::int64_t domain) {
    const Span span = span_of(event);
    has_domain_ |= domain != 0;
    const Number sequence = event[Arg::sequence];
    const bool has_sequence = domain == domain_of_operators && sequence && *sequence >= 0;
    // For a backward operator, this argument is the number of the forward operator's thread,
    // counted from 1.
    const bool is_backward = has_sequence && event[Arg::forward_thread].value_or(0) > 0;
    tables_.ranges.add({span.start, span.end, schema::codes::push_pop_range,
                        processes_.thread_of(event.pid, event.tid), writer_.intern(event.name),
                        domain, has_sequence ? sequence : std::nullopt,
                        is_backward ? Number(1) : std::nullopt});
  }

  void overhead(const Event& event) {
    const Span span = span_of(event);
    // Kineto does not record the process of an overhead. The tid 0 means an unknown thread.
    const bool has_thread = event.tid && *event.tid != 0 && processes_.of_ops();
    tables_.overheads.add(
        {span.start, span.end, schema::codes::overhead,
         has_thread ? processes_.thread_of(processes_.of_ops(), event.tid) : std::nullopt,
         writer_.intern(event.name), overhead_type(event.name)});
  }

  void sync(const Event& event) {
    const Span span = span_of(event);
    const Number record = event[Arg::wait_on_record];
    const bool has_record = record && *record > 0;
    tables_.syncs.add({span.start, span.end, event[Arg::device], event[Arg::context],
                       id_or_none(event[Arg::stream]), id(event, Arg::correlation),
                       processes_.global_of_ops(),
                       sync_type(event.sync_kind.empty() ? event.name : event.sync_kind),
                       event[Arg::wait_on_event] ? id_or_none(event[Arg::wait_on_event]) : none,
                       has_record ? record : std::nullopt});
    if (has_record) {
      add_event_record(record, event, event[Arg::wait_on_stream], event[Arg::wait_on_event]);
    }
  }

  // Writes a row for the call that recorded a CUDA event, unless this call has a row already.
  void add_event_record(Number call, const Event& event, Number stream, Number event_id) {
    if (!call || !recorded_.insert(*call).second) return;
    tables_.events.add({event[Arg::device], event[Arg::context], id_or_none(stream), call,
                        processes_.global_of_ops(), event_id, call});
  }

  void metadata(const Event& event) {
    if (!event.pid || event.label.empty()) return;
    ++labels_;
    if (event.name == "process_name") processes_.name_process(*event.pid, event.label);
    if (event.name == "thread_name" && event.tid) {
      processes_.name_thread(*event.pid, *event.tid, event.label);
    }
  }

  Op op_of(const Event& event) {
    Op op;
    ++ops_;
    op.span = span_of(event);
    const Number in = event[Arg::in_device];  // set for a copy between devices
    op.device = in ? in : event[Arg::device] ? event[Arg::device] : event.pid;
    op.context = event[Arg::in_context] ? event[Arg::in_context] : event[Arg::context];
    op.stream = event[Arg::stream] ? event[Arg::stream]
                : event.tid        ? event.tid
                                   : stream_of_track(event.thread);
    op.correlation = id(event, Arg::correlation);
    op.node = unless_zero(event[Arg::graph_node_id]);
    op.graph = op.node ? event[Arg::graph_id] : std::nullopt;
    op.channel = event[Arg::channel];
    op.channel_type = event[Arg::channel_type];
    return op;
  }

  Span span_of(const Event& event) {
    if (!event.start || !event.duration) {
      ++timeless_;
      return {};
    }
    if (!origin_) {
      analyzer::Ns origin = 0;
      if (__builtin_sub_overflow(*event.start, before_first, &origin)) return {};
      origin_ = origin;
      first_ = event.start;
    }
    Span span;
    if (__builtin_sub_overflow(*event.start, *origin_, &span.start) || span.start < 0 ||
        __builtin_add_overflow(span.start, *event.duration, &span.end) || span.end < 0) {
      return {};
    }
    return span;
  }

  // Returns -1 for an id that is out of range. The reader of the trace reports -1 as a defect.
  static Number id(const Event& event, Arg arg) {
    return event.is_too_large[static_cast<std::size_t>(arg)] ? -1 : event[arg];
  }

  void write_losses(bool has_rest) {
    for (const auto& [code, count] :
         {std::pair(schema::import_loss::without_time, timeless_),
          std::pair(schema::import_loss::nameless_calls, nameless_),
          std::pair(schema::import_loss::foreign_calls, foreign_),
          std::pair(schema::import_loss::ops_of_no_process, processes_.rivals()),
          std::pair(schema::import_loss::trailing_text, std::int64_t{has_rest})}) {
      if (count > 0) writer_.insert(schema::LossRow{std::string(code), count, {}});
    }
  }

  const std::filesystem::path& path_;
  const analyzer::RowLimit limit_;
  trace::TraceWriter& writer_;
  ImportTables tables_{writer_};

  Processes processes_;
  std::unordered_set<std::int64_t> recorded_;  // calls that recorded an event
  bool has_domain_ = false;
  Number first_;             // start of the first event, ns since baseTimeNanoseconds
  Number origin_;            // session time 0, ns since baseTimeNanoseconds
  std::int64_t labels_ = 0;  // name labels of processes and threads, repeated ones included
  std::int64_t timeless_ = 0;
  std::int64_t nameless_ = 0;
  std::int64_t foreign_ = 0;
  std::int64_t ops_ = 0;
  std::optional<std::string> accelerator_;  // error text for another accelerator's events
};

}  // namespace

void import_trace(const std::filesystem::path& path, trace::TraceWriter& trace,
                  std::atomic<std::int64_t>* done, analyzer::RowLimit limit) {
  Import import(path, trace, limit);
  EventReader events(import);
  const bool has_rest = read_json(path, events, done);
  check_kind(path, events.header());
  if (const auto other = import.other_accelerator()) {
    throw UnreadableJson("'" + path.string() + "' " + *other);
  }
  import.finish(events.header(), has_rest);
}

}  // namespace lapscope::kineto
