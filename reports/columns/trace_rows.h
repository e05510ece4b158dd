#pragma once

#include <span>
#include <string_view>

#include "analyzer/model/trace.h"
#include "reports/columns/column_table.h"

namespace lapscope::reports {

// Tables with a row for each of what a trace holds, as the analysis sees it: of all devices, whole,
// without scopes. Times are in ns since the session start, as in JSON.
struct RowTable {
  std::string_view name;
  ColumnTable (*of)(const analyzer::Trace&);
};

// "ops": device, stream (its id), kind, engine, name, start, end, bytes (of copies and memsets),
// call: the row of "calls" that issued it. By device and start.
//
// "calls": process, thread, kind, name, start, end. By thread; those inside others after these.
std::span<const RowTable> row_tables();

}  // namespace lapscope::reports
