#include <string>

#include "collector/schema/capture_facts.h"
#include "collector/schema/tables.h"
#include "readers/foreign/foreign_files.h"
#include "readers/kineto/json.h"
#include "readers/tables/provenance.h"
#include "readers/tables/reading_health.h"
#include "readers/tables/scan.h"
#include "readers/trace_format.h"
#include "readers/xprof/profile_import.h"
#include "readers/xprof/profile_json.h"
#include "readers/xprof/xspace.h"

namespace lapscope::xprof {

bool is_xspace(const std::filesystem::path& path) {
  if (path.filename().string().ends_with(".xplane.pb")) return true;
  // A file begins with its first plane. A plane begins with its name.
  const std::string begin = analyzer::beginning_of(path, 64);
  return begin.starts_with('\n') &&
         (begin.find("/host:") != std::string::npos || begin.find("/device:") != std::string::npos);
}

}  // namespace lapscope::xprof

namespace lapscope::analyzer {
namespace {

namespace loss = schema::import_loss;

Likeness likeness(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return Likeness::none;
  if (xprof::is_xspace(file)) return Likeness::certain;
  if (kineto::kind_of_json(file) != kineto::JsonKind::timeline) return Likeness::none;
  const bool is_profile = xprof::is_profile_json(kineto::beginning_of_json(file));
  return is_profile ? Likeness::certain : Likeness::none;
}

void add_health(schema::Database& database, std::vector<HealthRow>& health) {
  using schema::LossRow;
  using Columns = schema::Selection<COLUMNS(LossRow, code, count, detail)>;
  health.push_back({HealthKind::xprof_no_stream_kinds, 1});
  for_each_row<Columns>(database, [&health](const LossRow& row) {
    if (row.count == 0) return;
    const std::string said = row.detail.value_or("");
    if (row.code == loss::without_time) health.push_back({HealthKind::without_time, row.count});
    if (row.code == loss::foreign_calls) health.push_back({HealthKind::foreign_calls, row.count});
    if (row.code == loss::trailing_text) health.push_back({HealthKind::trailing_text, 1});
    if (row.code == loss::dropped_events) {
      health.push_back({HealthKind::dropped_events, row.count, {said}});
    }
    if (row.code == loss::profiler_error) {
      health.push_back({HealthKind::profiler_error, row.count, {said}});
    }
  });
}

Extent begin(schema::Database& database, Trace& trace) {
  trace.facts = facts_of(read_capture(database));
  trace.facts.recorder = "XProf";
  add_health(database, trace.health);
  Extent extent;
  extent.lacks_graphs =
      add_untraced_graphs(database, HealthKind::xprof_graphs_not_traced, trace.health);
  return extent;
}

}  // namespace

const TraceFormat xprof_format = {.name = "xprof",
                                  .recorder = "XProf",
                                  .knows = profile_capabilities,
                                  .file = {.likeness = likeness,
                                           .import = xprof::import_profile,
                                           .import_seconds = 0.04,
                                           .trace_share = 1},
                                  .begin = begin};

}  // namespace lapscope::analyzer
