#include "readers/xprof/profile_facts.h"

#include <optional>
#include <string>

#include "collector/process/clock.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/tables.h"
#include "readers/kineto/kineto_names.h"

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

}  // namespace

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

}  // namespace lapscope::xprof
