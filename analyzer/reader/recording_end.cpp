#include "analyzer/reader/recording_end.h"

#include <algorithm>
#include <string>

#include "analyzer/reader/scan.h"
#include "collector/schema/export_tables.h"
#include "collector/schema/tables.h"

namespace lapscope::analyzer {
namespace {

using schema::Database;

std::optional<std::int64_t> last_reading(Database& database) {
  using schema::ClockRow;
  using schema::SessionStartRow;
  if (!has_table<ClockRow>(database) || !has_table<SessionStartRow>(database)) return std::nullopt;
  using Starts = schema::Selection<SessionStartRow, &SessionStartRow::utcEpochNs>;
  std::optional<std::int64_t> start;
  for_each_row<Starts, SessionStartRow>(database, nullptr,
                                        [&start](std::optional<std::int64_t> utc) { start = utc; });
  if (!start || *start <= 0) return std::nullopt;
  using Columns = schema::TolerantSelection<ClockRow, &ClockRow::realtime>;
  std::int64_t last = 0;
  for_each_row<Columns, ClockRow>(database, nullptr,
                                  [&last](std::int64_t now) { last = std::max(last, now); });
  if (last < *start) return std::nullopt;
  return last - *start;
}

bool has_moved_times(Database& database) {
  if (!database.has_table("META_DATA_EXPORT")) return false;
  return database
             .query_int64(
                 "SELECT count(*) FROM META_DATA_EXPORT WHERE "
                 "name = 'EXPORT_PARAM_TIME_NORMALIZE' AND value <> 'false' OR "
                 "name LIKE 'EXPORT_%_TIME_SHIFT' AND value <> '0'")
             .value_or(0) > 0;
}

std::optional<std::int64_t> length_of_session(Database& database) {
  constexpr std::string_view details = schema::export_table::analysis_details;
  if (!database.has_table(details) || !database.has_column(details, "duration") ||
      has_moved_times(database)) {
    return std::nullopt;
  }
  const auto length = database.query_int64(
      "SELECT max(duration) FROM ANALYSIS_DETAILS WHERE typeof(duration) = 'integer'");
  return length.value_or(0) > 0 ? length : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> end_of_recording(OpenedTrace& opened) {
  return opened.format == TraceFormat::nsys ? length_of_session(opened.database)
                                            : last_reading(opened.database);
}

}  // namespace lapscope::analyzer
