#include "readers/kineto/facts.h"

#include <string>

#include "collector/process/clock.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/tables.h"
#include "readers/foreign/foreign_files.h"
#include "readers/kineto/json.h"
#include "readers/kineto/kineto_names.h"

namespace lapscope::kineto {

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

}  // namespace lapscope::kineto
