#include "readers/tables/read_stretch.h"

#include <algorithm>

#include "analyzer/model/trace.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

HealthRow captured_part(const schema::StretchRow& row) {
  HealthRow part{HealthKind::captured_part, 1, {row.start, row.begunBy}};
  if (row.end) part.details.insert(part.details.end(), {*row.end, row.endedBy.value_or("")});
  return part;
}

}  // namespace

std::optional<Interval> read_stretch(schema::Database& database, std::vector<HealthRow>& health) {
  using schema::StretchRow;
  if (!has_table<StretchRow>(database)) return std::nullopt;
  using Columns = schema::Selection<StretchRow, &StretchRow::start, &StretchRow::end,
                                    &StretchRow::begunBy, &StretchRow::endedBy>;
  schema::Statement rows(database, Columns::sql(database) + " ORDER BY 1 LIMIT 1");
  if (!rows.step()) {
    health.push_back({HealthKind::nothing_captured, 1});
    return Interval{0, 0};
  }
  const StretchRow row = Columns::read(rows);
  health.push_back(captured_part(row));
  return Interval{row.start, std::min(row.end.value_or(latest_time), latest_time)};
}

void clip(Ops& ops, Interval stretch) {
  for (std::size_t op = 0; op < ops.size(); ++op) {
    ops.start[op] = std::clamp(ops.start[op], stretch.start, std::max(stretch.start, stretch.end));
    ops.end[op] = std::clamp(ops.end[op], ops.start[op], std::max(ops.start[op], stretch.end));
  }
}

}  // namespace lapscope::analyzer
