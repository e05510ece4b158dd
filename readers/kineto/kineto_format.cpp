#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "collector/schema/capture_facts.h"
#include "collector/schema/tables.h"
#include "readers/kineto/import.h"
#include "readers/kineto/read_host_ranges.h"
#include "readers/tables/inferred.h"
#include "readers/tables/provenance.h"
#include "readers/tables/reading_health.h"
#include "readers/tables/scan.h"
#include "readers/trace_format.h"

namespace lapscope::analyzer {
namespace {

namespace loss = schema::import_loss;

// For JSON that does not begin like a profile, returns Likeness::possible, because the file may be
// a damaged profile. The user then gets an error about the format of profiles, which helps most.
Likeness likeness(const std::filesystem::path& file) {
  switch (kineto::kind_of_json(file)) {
    case kineto::JsonKind::none:
      return Likeness::none;
    case kineto::JsonKind::other:
      return Likeness::possible;
    case kineto::JsonKind::timeline:
      return Likeness::certain;
  }
  return Likeness::none;
}

std::map<std::string, std::int64_t, std::less<>> losses(schema::Database& database) {
  using schema::LossRow;
  std::map<std::string, std::int64_t, std::less<>> counts;
  using Columns = schema::Selection<COLUMNS(LossRow, code, count)>;
  for_each_row<Columns>(database, [&counts](const LossRow& row) { counts[row.code] += row.count; });
  return counts;
}

// Returns whether the trace has the hardware channels of ops. Only the newest releases of Kineto
// record them.
bool tells_channels(schema::Database& database) {
  constexpr std::string_view kernels = schema::describe<schema::KernelRow>.name;
  return database.has_table(kernels) &&
         database.query_int64("SELECT count(channelId) FROM " + std::string(kernels)).value_or(0) >
             0;
}

void add_health(schema::Database& database, std::vector<HealthRow>& health) {
  const auto found = losses(database);
  const auto add = [&](std::string_view code, HealthKind kind) {
    const auto count = found.find(code);
    if (count != found.end() && count->second != 0) health.push_back({kind, count->second});
  };
  health.push_back({tells_channels(database) ? HealthKind::no_stream_kinds
                                             : HealthKind::no_stream_kinds_or_channels,
                    1});
  if (!has_table<schema::SynchronizationRow>(database)) {
    health.push_back({HealthKind::no_synchronization, 1});
  }
  add(loss::without_time, HealthKind::without_time);
  add(loss::nameless_calls, HealthKind::nameless_calls);
  add(loss::foreign_calls, HealthKind::foreign_calls);
  add(loss::ops_of_no_process, HealthKind::ops_of_no_process);
  if (found.count(loss::trailing_text) > 0) health.push_back({HealthKind::trailing_text, 1});
  const std::string cupti = fact_of(read_capture(database), schema::fact::cupti_version);
  if (!cupti.empty()) add_known_defects(std::atoll(cupti.c_str()), health);
}

Extent begin(schema::Database& database, Trace& trace) {
  trace.facts = facts_of(read_capture(database));
  trace.facts.recorder = "PyTorch's profiler";
  add_health(database, trace.health);
  return {};
}

void add_to_host(schema::Database& database, Trace& trace) {
  // Some releases of CUPTI write overhead records of module loads, and others do not. So a trace
  // has records of all its loads or of none. If it has none, the loads are inferred from long
  // launches.
  const bool has_loads = std::any_of(
      trace.overheads.begin(), trace.overheads.end(),
      [](const Overhead& overhead) { return overhead.kind == OverheadKind::module_load; });
  if (!has_loads) infer_loads(database, trace);
  kineto::read_host_ranges(database, trace);
}

}  // namespace

const TraceFormat kineto_format = {.name = "kineto",
                                   .recorder = "PyTorch's profiler",
                                   .knows = profile_capabilities,
                                   .file = {.likeness = likeness,
                                            .import = kineto::import_trace,
                                            .import_seconds = 4.5e-3,
                                            .trace_share = 0.1},
                                   .begin = begin,
                                   .add_to_streams = place_streams,
                                   .add_to_host = add_to_host};

}  // namespace lapscope::analyzer
