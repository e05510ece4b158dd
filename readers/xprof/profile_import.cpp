#include "readers/xprof/profile_import.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "collector/process/clock.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/global_id.h"
#include "collector/schema/tables.h"
#include "readers/kineto/import_tables.h"
#include "readers/kineto/kineto_names.h"
#include "readers/kineto/name_table.h"
#include "readers/kineto/write_call_stacks.h"
#include "readers/xprof/profile_events.h"
#include "readers/xprof/profile_json.h"
#include "readers/xprof/xspace.h"

namespace lapscope::xprof {
namespace {

// Limits of a multiprocessor by compute capability. XProf does not write these limits. Source:
// "Technical Specifications per Compute Capability" in the CUDA programming guide.
struct Multiprocessor {
  std::int64_t major, minor;
  std::int64_t warps;
  std::int64_t shared_kib;
};
constexpr Multiprocessor multiprocessors[] = {
    {5, 0, 64, 64},  {5, 2, 64, 96},   {6, 0, 64, 64},  {6, 1, 64, 96},  {7, 0, 64, 96},
    {7, 5, 32, 64},  {8, 0, 64, 164},  {8, 6, 48, 100}, {8, 7, 48, 164}, {8, 9, 48, 100},
    {9, 0, 64, 228}, {10, 0, 64, 228}, {12, 0, 48, 100}};

// Sets the limits of a multiprocessor. If the GPU is not in the table, clears the number of
// multiprocessors. It is useless without the limits.
void add_limits(schema::GpuRow& row) {
  for (const Multiprocessor& one : multiprocessors) {
    if (row.computeMajor != one.major || row.computeMinor != one.minor) continue;
    row.threadsPerWarp = 32;
    row.maxWarpsPerSm = one.warps;
    row.maxBlocksPerSm = kineto::blocks_per_multiprocessor(one.major, one.minor);
    row.maxRegistersPerSm = 65'536;
    row.maxShmemPerSm = one.shared_kib * 1024;
    return;
  }
  row.smCount.reset();
}

// Writes a row per GPU. `gpus` is indexed by device. Skips GPUs without a name and without the
// number of multiprocessors. GPUs from JSON have neither.
void write_gpus(const std::map<std::int64_t, schema::GpuRow>& gpus, bool is_amd,
                trace::TraceWriter& writer) {
  for (const auto& [device, known] : gpus) {
    if (!known.name && !known.smCount) continue;
    schema::GpuRow row = known;
    row.vmId = 1;
    row.id = device;
    row.smMajor = row.computeMajor;
    row.smMinor = row.computeMinor;
    if (is_amd) {
      row.smCount.reset();
    } else {
      add_limits(row);
    }
    writer.insert(row);
  }
}

// Writes a row for each kind of lost data. `counts` has the losses that the import counted, by the
// codes of schema::import_loss. The session may report further losses.
void write_losses(const std::map<std::string_view, std::int64_t>& counts, const Session& session,
                  trace::TraceWriter& writer) {
  namespace loss = schema::import_loss;
  const auto add = [&writer](std::string_view code, std::int64_t count,
                             std::optional<std::string> detail) {
    if (count > 0) writer.insert(schema::LossRow{std::string(code), count, std::move(detail)});
  };
  for (const auto& [code, count] : counts) add(code, count, std::nullopt);
  if (!session.dropped.empty()) add(loss::dropped_events, 1, session.dropped);
  if (!session.error.empty()) add(loss::profiler_error, 1, session.error);
  add(loss::trailing_text, session.has_rest, std::nullopt);
}

// Writes host and start time of the session.
void write_session(const Session& session, trace::TraceWriter& writer) {
  namespace fact = schema::fact;
  writer.set_fact(fact::converted_from, "xprof/unknown");
  if (!session.host.empty()) writer.set_fact(fact::host, session.host);
  if (!session.start_utc || *session.start_utc <= 0) return;
  writer.set_fact(fact::session, std::to_string(*session.start_utc));
  writer.set_fact(fact::created, process::iso_utc(*session.start_utc));
  schema::SessionStartRow row;
  row.utcEpochNs = *session.start_utc;
  writer.insert(row);
}

using Number = std::optional<std::int64_t>;

static_assert(domain_of_python == kineto::domain_of_python);

constexpr std::uint32_t pid = 1;                            // of all threads
constexpr std::int64_t thread_ids = std::int64_t{1} << 22;  // Linux thread ids are smaller
constexpr analyzer::Ns unknown_time = -1;

constexpr kineto::Named<std::int64_t> overheads[] = {
    {"COMPILER", 2}, {"BUFFER_FLUSH", 3}, {"INSTRUMENTATION", 4}, {"RESOURCE", 5}};

// Returns ENUM_CUPTI_OVERHEAD_TYPE.
Number overhead_type(std::string_view name) { return kineto::find(overheads, name); }

class Import : public Taker {
 public:
  Import(const std::filesystem::path& path, trace::TraceWriter& writer, analyzer::RowLimit limit)
      : path_(path), limit_(limit), writer_(writer) {}

  void gpu(std::int64_t device, const schema::GpuRow& row, bool is_amd) override {
    is_amd_ |= is_amd;
    gpus_.insert_or_assign(device, row);
  }

  void line(const Line& line) override {
    device_ = gpu_of_plane(line.plane);
    stream_ = device_ ? stream_of_line(line.name) : std::nullopt;
    is_overhead_ = device_ && line.name == "CUPTI overhead";
    thread_ = device_ ? std::nullopt : Number(thread_of(line));
  }

  void event(const Event& event) override {
    take(event);
    analyzer::check_counts(path_, tables_.counts(), limit_, true);
  }

  void take(const Event& event) {
    if (device_) {
      if (stream_) return op(event);
      if (is_overhead_) overhead(event);
      return;
    }
    if (event.correlation) return call(event);
    if (overhead_type(event.name)) return overhead(event);
    if (event.start && event.end && *event.end > *event.start) range(event);
  }

  void finish(const Session& session) {
    tables_.finish();
    if (has_range_) tables_.name_domains({{domain_of_python, "Python"}, {domain_of_marks, "XLA"}});
    kineto::write_call_stacks(writer_);
    write_gpus(gpus_, is_amd_, writer_);
    for (const auto& [global, name] : threads_) {
      writer_.insert(schema::ThreadNameRow{writer_.intern(name), {}, global});
    }
    writer_.insert(schema::ProcessRow{schema::global_pid(pid), pid, std::nullopt});
    write_losses({{schema::import_loss::without_time, timeless_},
                  {schema::import_loss::foreign_calls, foreign_}},
                 session, writer_);
    write_session(session, writer_);
  }

 private:
  struct Span {
    analyzer::Ns start = unknown_time;
    analyzer::Ns end = unknown_time;
  };

  Span span_of(const Event& event) {
    if (!event.start || !event.end) {
      ++timeless_;
      return {};
    }
    if (*event.start < 0 || *event.end < 0) return {};
    return {*event.start, *event.end};
  }

  void op(const Event& event) {
    if (event.is_allocation) return;  // its duration is the lifetime of the memory
    if (!event.memset.empty()) return memset(event);
    if (!event.copy.empty()) return copy(event);
    if (event.kernel.empty() && event.name.starts_with("CudaGraphExec")) return graph(event);
    if (!event.kernel.empty() || event.correlation) kernel(event);
  }

  void kernel(const Event& event) {
    const Span span = span_of(event);
    const KernelShape shape = kernel_shape(event.kernel);
    const kineto::ImportTables::KernelName& name = tables_.kernel_name(event.name);
    tables_.kernels.add({span.start,
                         span.end,
                         device_,
                         event.context,
                         stream_,
                         event.correlation,
                         process,
                         name.full,
                         name.brief,
                         shape.registers,
                         shape.grid[0],
                         shape.grid[1],
                         shape.grid[2],
                         shape.block[0],
                         shape.block[1],
                         shape.block[2],
                         shape.static_shared,
                         shape.dynamic_shared,
                         event.graph_node,
                         event.graph_node ? event.graph : std::nullopt});
  }

  void copy(const Event& event) {
    const Span span = span_of(event);
    const Transfer details = transfer(event.copy);
    const std::int64_t kind = copy_kind(event.name);
    constexpr std::int64_t peer = 10;
    tables_.copies.add({span.start, span.end, device_, event.context, stream_, event.correlation,
                        process, details.bytes, kind, details.source_kind, details.target_kind,
                        kind == peer ? device_ : std::nullopt,
                        kind == peer ? details.target_device : std::nullopt, event.graph_node,
                        event.graph_node ? event.graph : std::nullopt});
  }

  void memset(const Event& event) {
    const Span span = span_of(event);
    const Transfer details = transfer(event.memset);
    tables_.memsets.add({span.start, span.end, device_, event.context, stream_, event.correlation,
                         process, details.bytes, details.target_kind, event.graph_node,
                         event.graph_node ? event.graph : std::nullopt});
  }

  void graph(const Event& event) {
    const Span span = span_of(event);
    tables_.graphs.add({span.start, span.end, device_, event.context, stream_, event.correlation,
                        process, event.graph, event.graph});
  }

  void call(const Event& event) {
    const Span span = span_of(event);
    const std::string function =
        function_of_call(event.name, transfer(event.copy.empty() ? event.memset : event.copy));
    if (is_amd_ || function.starts_with("hip")) ++foreign_;
    tables_.calls.add(
        {span.start, span.end,
         function.starts_with("cuda") ? schema::codes::runtime_call : schema::codes::driver_call,
         thread_, event.correlation, writer_.intern(function)});
  }

  void range(const Event& event) {
    constexpr std::string_view nvtx = "NVTX:";
    const Span span = span_of(event);
    std::int64_t domain = domain_of_marks;
    std::string name(event.name);
    if (event.step) domain = 0;
    if (event.name.starts_with(nvtx)) {
      domain = 0;
      name.erase(0, nvtx.size());
    } else if (event.name.starts_with('$')) {
      domain = domain_of_python;
      name = python_function(event.name);
    }
    has_range_ |= domain != 0;
    tables_.ranges.add({span.start, span.end, schema::codes::push_pop_range, thread_,
                        writer_.intern(name), domain});
  }

  void overhead(const Event& event) {
    const Span span = span_of(event);
    tables_.overheads.add({span.start, span.end, schema::codes::overhead, thread_,
                           writer_.intern(event.name), overhead_type(event.name).value_or(0)});
  }

  // Returns the globalTid of a line's thread. The line has the same id in all planes of the host.
  // In most releases of XProf, this id is a hash, which is too large for a Linux thread id. Such a
  // line gets an invented thread id.
  std::int64_t thread_of(const Line& line) {
    const auto [known, is_new] = thread_by_line_.try_emplace(line.id);
    if (is_new) {
      const bool is_id = 0 <= line.id && line.id < thread_ids;
      const std::int64_t own =
          is_id ? line.id : thread_ids + static_cast<std::int64_t>(thread_by_line_.size());
      known->second = schema::global_tid(pid, static_cast<std::uint32_t>(own));
    }
    std::string& name = threads_[known->second];
    if (name.empty()) name = line.name;
    return known->second;
  }

  static constexpr std::int64_t process = schema::global_pid(pid);

  const std::filesystem::path& path_;
  const analyzer::RowLimit limit_;

  trace::TraceWriter& writer_;
  kineto::ImportTables tables_{writer_};

  // Set for the current line.
  Number device_, stream_, thread_;
  bool is_overhead_ = false;

  std::map<std::int64_t, schema::GpuRow> gpus_;
  std::map<std::int64_t, std::int64_t> thread_by_line_;  // globalTid
  std::map<std::int64_t, std::string> threads_;          // names, by globalTid
  bool is_amd_ = false;
  bool has_range_ = false;
  std::int64_t timeless_ = 0;
  std::int64_t foreign_ = 0;
};

}  // namespace

void import_profile(const std::filesystem::path& path, trace::TraceWriter& trace,
                    std::atomic<std::int64_t>* done, analyzer::RowLimit limit) {
  Import import(path, trace, limit);
  const Session session =
      is_xspace(path) ? read_xspace(path, import, done) : read_profile_json(path, import, done);
  import.finish(session);
}

}  // namespace lapscope::xprof
