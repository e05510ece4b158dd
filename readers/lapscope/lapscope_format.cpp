#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/harmless_text.h"
#include "analyzer/model/health.h"
#include "analyzer/model/limits.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/sqlite.h"
#include "collector/schema/statements.h"
#include "collector/schema/tables.h"
#include "readers/tables/provenance.h"
#include "readers/tables/reading_health.h"
#include "readers/tables/scan.h"
#include "readers/trace_format.h"

namespace lapscope::analyzer {
namespace {

using schema::CaptureRow;
using schema::ClockRow;
using schema::Database;
using schema::EnvironmentRow;
using schema::LossRow;
using schema::RecordsRow;
using schema::Selection;
using schema::Statement;

// Losses that have a HealthKind. Any other loss becomes HealthKind::other_loss.
constexpr std::pair<std::string_view, HealthKind> losses[] = {
    {"unmatched-range-ends", HealthKind::unmatched_range_ends},
    {"foreign-buffers", HealthKind::foreign_buffers},
    {"unknown-kind", HealthKind::unknown_kind},
    {"write-error", HealthKind::write_error}};

void add_losses(Database& database, std::vector<HealthRow>& health) {
  using Columns = Selection<COLUMNS(LossRow, code, count, detail)>;
  const auto add = [&health](const LossRow& row) {
    const auto* known = std::find_if(std::begin(losses), std::end(losses),
                                     [&row](const auto& one) { return one.first == row.code; });
    const HealthKind kind = known == std::end(losses) ? HealthKind::other_loss : known->second;
    if (row.count == 0 && kind != HealthKind::write_error) return;
    health.push_back({kind, row.count, {kept_name(row.code)}});
    if (row.detail) health.back().details.emplace_back(kept_name(*row.detail));
  };
  for_each_row<Columns>(database, add, "1, 2, 3");
}

void add_recording_state(const Capture& capture, std::vector<HealthRow>& health) {
  const std::string state = fact_of(capture, schema::fact::recording);
  if (state == schema::recording_state::cut_off) {
    health.push_back({HealthKind::cut_off, 1, {fact_of(capture, schema::fact::flush_period_ms)}});
  } else if (state == schema::recording_state::running) {
    health.push_back({HealthKind::still_running, 1});
  } else if (state != schema::recording_state::complete &&
             state != schema::recording_state::failed) {
    health.push_back(
        {HealthKind::no_end,
         1,
         {std::string(schema::describe<CaptureRow>.name), std::string(schema::fact::recording)}});
  }
  if (!fact_of(capture, schema::fact::yields_to_app).empty()) {
    health.push_back({HealthKind::yielded, 1});
  }
  if (fact_of(capture, schema::fact::calls) == schema::recorded_calls::issuing) {
    health.push_back({HealthKind::calls_left_out, 1});
  }
  const std::string not_calibrated = fact_of(capture, schema::fact::not_calibrated);
  if (!not_calibrated.empty()) health.push_back({HealthKind::not_calibrated, 1, {not_calibrated}});
  const std::string problem = fact_of(capture, schema::fact::problem);
  if (!problem.empty()) health.push_back({HealthKind::not_recorded, 1, {problem}});
}

// Reports the table of `Row` as missing if it is absent or empty. Call this function only for a
// table that the collector writes whenever it closes a trace, and only for a closed trace.
template <class Row>
void add_absent_fact(Database& database, HealthKind kind, std::vector<HealthRow>& health) {
  const std::string table(schema::describe<Row>.name);
  if (database.has_table(table) &&
      database.query_int64("SELECT 1 FROM " + table + " LIMIT 1").has_value()) {
    return;
  }
  health.push_back({kind, 1, {table}});
}

// Checks only closed traces, which have the fact `buffers_kept`. Skips the tables that count
// records, because other checks find missing rows in these tables.
void add_absent_facts(Database& database, const Capture& capture, std::vector<HealthRow>& health) {
  if (fact_of(capture, schema::fact::buffers_kept).empty()) return;
  add_absent_fact<ClockRow>(database, HealthKind::no_clock, health);
  add_absent_fact<schema::SessionStartRow>(database, HealthKind::no_session_start, health);
}

// Returns the HealthKind to report if CUPTI refused to record `kind`. The result depends on what
// the trace lacks without records of this kind.
HealthKind refused(const std::string& kind) {
  for (const char* work : {"CONCURRENT_KERNEL", "MEMCPY", "MEMCPY2", "MEMSET", "GRAPH_TRACE"}) {
    if (kind == work) return HealthKind::work_refused;
  }
  // Without these records, the analysis cannot explain link rates, long first launches and pool
  // names.
  for (const char* detail : {"NVLINK", "JIT", "MEMORY_POOL", "EXTERNAL_CORRELATION"}) {
    if (kind == detail) return HealthKind::detail_refused;
  }
  return HealthKind::kind_refused;
}

// Adds rows for absent kinds of records. If CUPTI refused a kind, its absence is a defect. If the
// user did not request a kind, its absence is no defect. It gets a row, too, so that the analysis
// does not conclude that the program did nothing of this kind.
void add_refused_kinds(Database& database, std::vector<HealthRow>& health) {
  using Columns = Selection<COLUMNS(RecordsRow, name, enableResult, received)>;
  const auto add = [&health](const RecordsRow& row) {
    if (!row.enableResult && row.received == 0) {
      health.push_back({HealthKind::kind_left_out, 1, {row.name}});
    }
    if (row.enableResult.value_or(0) == 0) return;
    health.push_back({refused(row.name), 1, {row.name, *row.enableResult}});
  };
  for_each_row<Columns>(database, add, "1, 2");
}

// Host times come from CLOCK_REALTIME. If this clock is set during a recording, intervals are
// wrong.
void add_clock_step(Database& database, std::vector<HealthRow>& health) {
  using Columns = Selection<COLUMNS(ClockRow, realtime, monotonic)>;
  std::vector<ClockRow> samples;
  for_each_row<Columns>(database, [&samples](const ClockRow& row) { samples.push_back(row); });
  std::ranges::sort(samples, {},
                    [](const ClockRow& one) { return std::tie(one.monotonic, one.realtime); });
  std::optional<Ns> offset;
  std::int64_t largest = 0;
  for (const ClockRow& row : samples) {
    Ns now = 0;
    std::int64_t step = 0;
    if (__builtin_sub_overflow(row.realtime, row.monotonic, &now)) continue;
    if (offset && __builtin_sub_overflow(now, *offset, &step)) continue;
    if (offset && std::llabs(step) > std::llabs(largest)) largest = step;
    offset = now;
  }
  if (std::llabs(largest) <= assumed::clock_step) return;
  health.push_back({HealthKind::clock_step, 1, {largest}});
}

// Reports lost call stacks. The conclusions remain valid, but some call sites lack a line.
void add_lost_stacks(Database& database, std::vector<HealthRow>& health) {
  using schema::StackCountsRow;
  if (!database.has_table(schema::describe<StackCountsRow>.name)) return;
  using Columns =
      Selection<COLUMNS(StackCountsRow, captured, lost, notUnwound, truncated, withoutPython)>;
  Statement rows(database, Columns::sql(database));
  if (!rows.step()) return;
  const StackCountsRow row = Columns::read(rows);
  HealthRow incomplete{HealthKind::stacks_lost, 0, {row.captured}};
  for (const std::int64_t count : {row.lost, row.notUnwound, row.truncated, row.withoutPython}) {
    incomplete.count += std::max<std::int64_t>(count, 0);
    incomplete.details.emplace_back(count);
  }
  if (incomplete.count > 0) health.push_back(std::move(incomplete));
}

// Returns LAPSCOPE_ENVIRONMENT as a map.
std::map<std::string, std::string, std::less<>> read_settings(Database& database) {
  std::map<std::string, std::string, std::less<>> settings;
  using Columns = Selection<COLUMNS(EnvironmentRow, name, value)>;
  const auto take = [&settings](EnvironmentRow& row) {
    settings.insert_or_assign(std::move(row.name), std::move(row.value));
  };
  for_each_row<Columns>(database, take, "1, 2");
  return settings;
}

// Returns the health rows for all LAPSCOPE_* tables that describe the recording.
std::vector<HealthRow> recording_health(Database& database) {
  std::vector<HealthRow> health;
  const Capture capture = read_capture(database);
  add_recording_state(capture, health);
  add_absent_facts(database, capture, health);
  add_losses(database, health);
  add_lost_stacks(database, health);
  add_refused_kinds(database, health);
  add_clock_step(database, health);
  const std::string cupti = fact_of(capture, schema::fact::cupti_version);
  if (!cupti.empty() && cupti.find_first_not_of("0123456789") == std::string::npos) {
    add_known_defects(std::atoll(cupti.c_str()), health);
  }
  return health;
}

Ns flush_period_ns(const std::string& ms) {
  constexpr std::int64_t ns_per_ms = 1'000'000;
  return ns_per_ms * std::clamp<std::int64_t>(std::atoll(ms.c_str()), 0, limits::flush_period_ms);
}

Extent begin(schema::Database& database, Trace& trace) {
  const Capture capture = read_capture(database);
  trace.facts = facts_of(capture);
  trace.facts.recorder = "lapscope " + fact_of(capture, schema::fact::tool_version);
  trace.settings = read_settings(database);
  trace.health = recording_health(database);
  Extent extent;
  extent.stretch = read_stretch(database, trace.health);
  const bool is_complete =
      fact_of(capture, schema::fact::recording) == schema::recording_state::complete;
  extent.is_whole =
      is_complete && !extent.stretch && fact_of(capture, schema::fact::yields_to_app).empty();
  if (!is_complete) {
    extent.unwritten = flush_period_ns(fact_of(capture, schema::fact::flush_period_ms));
  }
  extent.lacks_graphs = add_untraced_graphs(database, HealthKind::graphs_not_traced, trace.health);
  return extent;
}

}  // namespace

const TraceFormat lapscope_format = {.name = "lapscope",
                                     .recorder = "lapscope",
                                     .database = "a lapscope trace",
                                     .obeys_laws = true,
                                     .begin = begin};

}  // namespace lapscope::analyzer
