#pragma once

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/trace.h"

namespace lapscope::reports {

// The value of a missing integer.
inline constexpr std::int64_t no_value = std::numeric_limits<std::int64_t>::min();

// A table for programs, stored column by column as in Apache Arrow. A reader can use the arrays
// without a copy, and only needs to compute their offsets.
//
// The first line is JSON:
//
//   {"schema": "lapscope-rows/1", "rows": N, "columns": [{"name", "type", "bytes": […],
//   "values"?}]}
//
// The arrays follow, column by column. `bytes` has the size of each array. Each array begins at a
// multiple of 64 bytes. All numbers are little-endian.
//
// A column of type "int" has two arrays: a validity bitmap and 64-bit integers. The bitmap has 0
// bytes if all rows have a value. A column of type "text" has three arrays:
// - for each row, the index of its text (32 bits);
// - the number 0, then the end offset of each text (32 bits each);
// - the texts in UTF-8, one after the other. `values` is the number of texts.
class ColumnTable {
 public:
  void add_integers(std::string_view name, const std::vector<std::int64_t>& values);
  // Adds a column of texts. `numbers` has an index into `texts` for each row. Equal texts must have
  // the same index.
  void add_texts(std::string_view name, const std::vector<std::int32_t>& numbers,
                 const std::vector<std::string>& texts);

  void write(std::ostream& out) const;

 private:
  struct Column {
    std::string name;
    std::string type;
    std::size_t values = 0;  // number of texts
    std::vector<std::string> parts;
  };
  std::size_t rows_ = 0;
  std::vector<Column> columns_;
};

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
