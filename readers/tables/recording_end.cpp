#include "readers/tables/recording_end.h"

#include <algorithm>

#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {

std::optional<std::int64_t> last_reading(schema::Database& database) {
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

}  // namespace lapscope::analyzer
