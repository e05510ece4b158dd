#include <cstdlib>
#include <map>
#include <string>

#include "collector/schema/capture_facts.h"
#include "collector/schema/tables.h"
#include "readers/kineto/import.h"
#include "readers/tables/provenance.h"
#include "readers/tables/reading_health.h"
#include "readers/tables/scan.h"
#include "readers/trace_format.h"

namespace lapscope::analyzer {
namespace {

namespace loss = schema::import_loss;

// Of all JSON: a file of the profiler that is damaged is best complained of as one.
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
  using Columns = schema::Selection<LossRow, &LossRow::code, &LossRow::count>;
  for_each_row<Columns>(database, [&counts](const LossRow& row) { counts[row.code] += row.count; });
  return counts;
}

// Some column of ops' channels is told: by the newest releases alone.
bool tells_channels(schema::Database& database) {
  constexpr std::string_view kernels = schema::describe<schema::KernelRow>.name;
  return database.has_table(kernels) &&
         database.query_int64("SELECT count(channelId) FROM " + std::string(kernels)).value_or(0) >
             0;
}

void add_health(schema::Database& database, std::vector<HealthRow>& health) {
  const auto found = losses(database);
  const auto add = [&](std::string_view code, Severity severity, const std::string& what,
                       const std::string& remedy) {
    const auto count = found.find(code);
    if (count == found.end() || count->second == 0) return;
    health.push_back({std::string(code), severity, count->second,
                      std::to_string(count->second) + " " + what, remedy});
  };
  health.push_back({"no-stream-kinds", Severity::info, 1,
                    std::string("Traces of PyTorch's profiler have no kinds of streams") +
                        (tells_channels(database) ? "" : ", no hardware channels") +
                        ", no number of connections, and of the driver's calls launches of kernels "
                        "alone: causes "
                        "that need these are inconclusive.",
                    "Record with `lapscope record` to know."});
  if (!has_table<schema::SynchronizationRow>(database)) {
    health.push_back({"no-synchronization", Severity::info, 1,
                      "The trace does not show what synchronizing calls and streams waited for.",
                      "Record with `lapscope record` to know, or profile with "
                      "experimental_config=torch._C._profiler._ExperimentalConfig(enable_cuda_sync_"
                      "events=True)."});
  }
  add(loss::without_time, Severity::error,
      "events have no time (ts, dur) that is a number, and no part in any figure.",
      "Export the trace again.");
  add(loss::nameless_calls, Severity::warning,
      "calls are of functions that PyTorch's profiler had no name for (INVALID): what they did is "
      "not known.",
      "Record with `lapscope record` to know.");
  add(loss::foreign_calls, Severity::error,
      "calls are of HIP, not CUDA: what they do is not known to lapscope, and no cause that it "
      "finds "
      "is reliable.",
      "");
  add(loss::ops_of_no_process, Severity::warning,
      "processes made calls, and the trace does not show whose an op is: no gap is explained by a "
      "call, and no range has ops.",
      "Analyze the traces of the processes one by one.");
  if (found.count(loss::trailing_text) > 0) {
    health.push_back({std::string(loss::trailing_text), Severity::info, 1,
                      "Something stands behind the end of the JSON, and was not read.", ""});
  }
  const std::string cupti = fact_of(read_capture(database), schema::fact::cupti_version);
  if (!cupti.empty()) add_known_defects(std::atoll(cupti.c_str()), health);
}

Extent begin(schema::Database& database, Trace& trace) {
  trace.facts = facts_of(read_capture(database));
  trace.facts.recorder = "PyTorch's profiler";
  add_health(database, trace.health);
  return {};
}

}  // namespace

const TraceFormat kineto_format = {.name = "kineto",
                                   .recorder = "PyTorch's profiler",
                                   .knows = {.every_kind = false,
                                             .recorded_kinds = false,
                                             .driver_calls = false,
                                             .lost_records = false,
                                             .empty_tables = false,
                                             .end_of_gpu = false,
                                             .graph_nodes = false,
                                             .addresses = false},
                                   .file = {.likeness = likeness,
                                            .import = kineto::import_trace,
                                            .import_seconds = 4.5e-3,
                                            .trace_share = 0.1},
                                   .begin = begin};

}  // namespace lapscope::analyzer
