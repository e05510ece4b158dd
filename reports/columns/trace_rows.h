#pragma once

#include <span>
#include <string_view>

#include "analyzer/model/trace.h"
#include "reports/columns/column_table.h"

namespace lapscope::reports {

// Tables of all ops and calls that the analysis uses. They cover all devices and the whole run.
// Times are in ns since the session start, as in JSON.
struct RowTable {
  std::string_view name;
  ColumnTable (*of)(const analyzer::Trace&);
};

// "ops" has a row for each op: device, stream (its id), kind, engine, name, start, end, bytes (of
// copies and memsets), call (the row of "calls" that issued the op). Sorted by device and start.
//
// "calls" has a row for each call: process, thread, kind, name, start, end. Sorted by thread. A
// nested call comes after the call around it.
std::span<const RowTable> row_tables();

}  // namespace lapscope::reports
