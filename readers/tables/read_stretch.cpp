#include "readers/tables/read_stretch.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "analyzer/model/trace.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

std::string seconds(std::int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f s", static_cast<double>(ns) / 1e9);
  return text;
}

HealthRow captured_part(const schema::StretchRow& row) {
  const std::string end = row.end ? seconds(*row.end) + " (" + row.endedBy.value_or("") + ")"
                                  : "the end of the recording";
  return {"captured-part", Severity::info, 1,
          "Only a part of the run was captured, from " + seconds(row.start) + " (" + row.begunBy +
              ") to " + end +
              ": nothing is known of the rest, and ops that reach over a border count with the "
              "part inside.",
          ""};
}

}  // namespace

std::optional<Interval> read_stretch(schema::Database& database, std::vector<HealthRow>& health) {
  using schema::StretchRow;
  if (!has_table<StretchRow>(database)) return std::nullopt;
  using Columns = schema::Selection<StretchRow, &StretchRow::start, &StretchRow::end,
                                    &StretchRow::begunBy, &StretchRow::endedBy>;
  schema::Statement rows(database, Columns::sql(database) + " ORDER BY 1 LIMIT 1");
  if (!rows.step()) {
    health.push_back({"nothing-captured", Severity::error, 1,
                      "Only a part of the run was to be captured, and what it was to begin with "
                      "never came.",
                      "Check the name that --capture-range was given, and --delay."});
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
