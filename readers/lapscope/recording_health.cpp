#include "readers/lapscope/recording_health.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "analyzer/model/assumptions.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/statements.h"
#include "collector/schema/tables.h"
#include "readers/tables/provenance.h"
#include "readers/tables/reading_health.h"
#include "readers/tables/scan.h"

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

// How a loss is told: COUNT, these words, and the details.
struct LossWords {
  std::string_view code;
  Severity severity;
  const char* before;
  const char* after;
  const char* remedy;
};
constexpr LossWords loss_words[] = {
    {"unmatched-range-ends", Severity::info, "",
     " NVTX ranges were closed whose beginning is not in the trace",
     "Open them after the first CUDA call."},
    {"foreign-buffers", Severity::error, "Records went astray: ", " buffers of CUPTI were not ours",
     "Switch the program's own profiler off."},
    {"unknown-kind", Severity::warning, "",
     " records of a kind that lapscope does not know were skipped",
     "A newer lapscope may know them."},
    {"write-error", Severity::error, "The trace could not be written to its end; ",
     " records are missing", "Record to a disk with more free space."},
    {"", Severity::error, "", " records were lost", "Record a shorter part of the program."}};

void add_losses(Database& database, std::vector<HealthRow>& health) {
  using Columns = Selection<LossRow, &LossRow::code, &LossRow::count, &LossRow::detail>;
  const auto add = [&health](const LossRow& row) {
    if (row.count == 0 && row.code != "write-error") return;
    const LossWords& words =
        *std::find_if(std::begin(loss_words), std::end(loss_words) - 1,
                      [&row](const LossWords& one) { return one.code == row.code; });
    health.push_back({row.code, words.severity, row.count,
                      words.before + std::to_string(row.count) + words.after +
                          (row.detail ? " (" + *row.detail + ")" : "") + ".",
                      words.remedy});
  };
  for_each_row<Columns>(database, add, "1, 2, 3");
}

void add_recording_state(const Capture& capture, std::vector<HealthRow>& health) {
  const std::string state = fact_of(capture, schema::fact::recording);
  const std::string period = fact_of(capture, schema::fact::flush_period_ms);
  if (state == schema::recording_state::cut_off) {
    health.push_back(
        {"cut-off", Severity::warning, 1,
         "The program ended without its exit handlers (killed, or _exit): up to the last " +
             period + " ms are missing.",
         "Let the program exit normally, or evaluate a range that had ended before."});
  } else if (state == schema::recording_state::running) {
    health.push_back({"still-running", Severity::warning, 1,
                      "The recording has not ended, or ended without `lapscope record` seeing it.",
                      "Wait for the program to end."});
  } else if (state != schema::recording_state::complete &&
             state != schema::recording_state::failed) {
    health.push_back({"facts-missing", Severity::error, 1,
                      std::string(schema::describe<CaptureRow>.name) +
                          " does not say how the recording ended (0 rows of the fact '" +
                          std::string(schema::fact::recording) +
                          "'): whether the trace is whole is not known.",
                      "Copy the trace again from where it was recorded, or record again."});
  }
  if (!fact_of(capture, schema::fact::yields_to_app).empty()) {
    health.push_back({"yielded", Severity::warning, 1,
                      "Another CUPTI client in the program could take over: what it took is "
                      "missing here, and nobody has counted it.",
                      "Record without --yield-to-app while the program's own profiler is off."});
  }
  if (fact_of(capture, schema::fact::calls) == schema::recorded_calls::issuing) {
    health.push_back({"kind-left-out", Severity::info, 1,
                      "Of API calls only those that issue work were recorded: what the host did "
                      "otherwise is not known.",
                      "Record without --light."});
  }
  const std::string not_calibrated = fact_of(capture, schema::fact::not_calibrated);
  if (!not_calibrated.empty()) {
    health.push_back(
        {"not-calibrated", Severity::info, 1,
         "What recording adds to calls is not known and not taken out: " + not_calibrated,
         "Run `lapscope doctor --calibrate`, and record again."});
  }
  const std::string problem = fact_of(capture, schema::fact::problem);
  if (!problem.empty()) {
    health.push_back({"not-recorded", Severity::error, 1,
                      "The collector could not record: " + problem + ".", ""});
  }
}

// What the collector has always written when it closes a trace, with how many buffers CUPTI kept.
template <class Row>
void add_absent_fact(Database& database, const char* consequence, std::vector<HealthRow>& health) {
  if (database.has_table(schema::describe<Row>.name) &&
      database.query_int64("SELECT 1 FROM " + std::string(schema::describe<Row>.name) + " LIMIT 1")
          .has_value()) {
    return;
  }
  health.push_back({"facts-missing", Severity::error, 1,
                    std::string(schema::describe<Row>.name) + " has 0 rows, though the recording " +
                        "was closed: " + consequence + " is not known.",
                    "Copy the trace again from where it was recorded, or record again."});
}

// Counts of records are not among them: what is missing shows without them, too.
void add_absent_facts(Database& database, const Capture& capture, std::vector<HealthRow>& health) {
  if (fact_of(capture, schema::fact::buffers_kept).empty()) return;
  add_absent_fact<ClockRow>(database, "when the recording ended", health);
  add_absent_fact<schema::SessionStartRow>(database, "when the recording began", health);
}

// How much the trace lacks without a kind.
Severity weight_of(const std::string& kind) {
  for (const char* work : {"CONCURRENT_KERNEL", "MEMCPY", "MEMCPY2", "MEMSET", "GRAPH_TRACE"}) {
    if (kind == work) return Severity::error;
  }
  // Without them no link's rate is known, no first launch explained, no pool named.
  for (const char* detail : {"NVLINK", "JIT", "MEMORY_POOL", "EXTERNAL_CORRELATION"}) {
    if (kind == detail) return Severity::info;
  }
  return Severity::warning;
}

// What the user left out is no defect, but nothing may be concluded from its absence.
HealthRow left_out(const std::string& kind) {
  return {"kind-left-out", Severity::info, 1,
          kind + " records were not recorded, by an option of lapscope record.",
          "Record without the option that leaves them out (--light, --no-...)."};
}

// A kind that CUPTI refused is work that the trace cannot show.
void add_refused_kinds(Database& database, std::vector<HealthRow>& health) {
  using Columns =
      Selection<RecordsRow, &RecordsRow::name, &RecordsRow::enableResult, &RecordsRow::received>;
  const auto add = [&health](const RecordsRow& row) {
    if (!row.enableResult && row.received == 0) health.push_back(left_out(row.name));
    if (row.enableResult.value_or(0) == 0) return;
    health.push_back(
        {"kind-refused", weight_of(row.name), 1,
         "CUPTI refused to record " + row.name + " (CUptiResult " +
             std::to_string(*row.enableResult) + ").",
         "Record with the CUPTI library of a newer CUDA toolkit, and a driver that is no older."});
  };
  for_each_row<Columns>(database, add, "1, 2");
}

// Host times are CLOCK_REALTIME: when that clock is set during a recording, intervals are wrong.
void add_clock_step(Database& database, std::vector<HealthRow>& health) {
  using Columns = Selection<ClockRow, &ClockRow::realtime, &ClockRow::monotonic>;
  std::vector<ClockRow> samples;
  for_each_row<Columns>(database, [&samples](const ClockRow& row) { samples.push_back(row); });
  std::sort(samples.begin(), samples.end(), [](const ClockRow& a, const ClockRow& b) {
    return std::tie(a.monotonic, a.realtime) < std::tie(b.monotonic, b.realtime);
  });
  std::optional<std::int64_t> offset;
  std::int64_t largest = 0;
  for (const ClockRow& row : samples) {
    std::int64_t now = 0;
    std::int64_t step = 0;
    if (__builtin_sub_overflow(row.realtime, row.monotonic, &now)) continue;
    if (offset && __builtin_sub_overflow(now, *offset, &step)) continue;
    if (offset && std::llabs(step) > std::llabs(largest)) largest = step;
    offset = now;
  }
  if (std::llabs(largest) <= assumed::clock_step) return;
  health.push_back({"clock-step", Severity::error, 1,
                    "The system clock was set during the recording, by " + std::to_string(largest) +
                        " ns: times before and after do not fit together.",
                    "Record again."});
}

// Call sites without a line are no defect of what is concluded.
void add_lost_stacks(Database& database, std::vector<HealthRow>& health) {
  using schema::StackCountsRow;
  if (!database.has_table(schema::describe<StackCountsRow>.name)) return;
  using Columns = Selection<StackCountsRow, &StackCountsRow::captured, &StackCountsRow::lost,
                            &StackCountsRow::notUnwound, &StackCountsRow::truncated,
                            &StackCountsRow::withoutPython>;
  Statement rows(database, Columns::sql(database));
  if (!rows.step()) return;
  const StackCountsRow row = Columns::read(rows);
  const std::pair<std::int64_t, const char*> reasons[] = {
      {row.lost, " have none for want of room"},
      {row.notUnwound, " have none because it could not be read"},
      {row.truncated, " lack their outermost frames"},
      {row.withoutPython, " lack their frames of Python"}};
  std::int64_t incomplete = 0;
  std::string text;
  for (const auto& [count, reason] : reasons) {
    if (count <= 0) continue;
    incomplete += count;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + reason;
  }
  if (incomplete == 0) return;
  health.push_back({"stacks-lost", Severity::info, incomplete,
                    "Call stacks are incomplete, beside " + std::to_string(row.captured) +
                        " calls that have one: " + text + ".",
                    ""});
}

}  // namespace

std::map<std::string, std::string, std::less<>> read_settings(Database& database) {
  std::map<std::string, std::string, std::less<>> settings;
  using Columns = Selection<EnvironmentRow, &EnvironmentRow::name, &EnvironmentRow::value>;
  const auto take = [&settings](EnvironmentRow& row) {
    settings.insert_or_assign(std::move(row.name), std::move(row.value));
  };
  for_each_row<Columns>(database, take, "1, 2");
  return settings;
}

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

}  // namespace lapscope::analyzer
