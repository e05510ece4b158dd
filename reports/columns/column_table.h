#pragma once

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::reports {

// "None" in a column of integers.
inline constexpr std::int64_t no_value = std::numeric_limits<std::int64_t>::min();

// A table as programs read it, column by column, in the layout of Arrow's arrays: what a reader has
// to do is to find out where they begin.
//
//   {"schema": "lapscope-rows/1", "rows": N, "columns": [{"name", "type", "bytes": […],
//   "values"?}]}
//
// is the first line. What `bytes` counts follows it, one after the other. A column of type "int"
// has the bits of rows that have a value (0 bytes: all), and 64-bit integers. A column of type
// "text" has a 32-bit number for each row, and the texts that these count, `values` of them: 32-bit
// ends behind a 0, and UTF-8. Each begins at a multiple of 64 bytes. All numbers are little-endian.
class ColumnTable {
 public:
  void add_integers(std::string_view name, const std::vector<std::int64_t>& values);
  // Rows that hold equal texts are to have the same number.
  void add_texts(std::string_view name, const std::vector<std::int32_t>& numbers,
                 const std::vector<std::string>& texts);

  void write(std::ostream& out) const;

 private:
  struct Column {
    std::string name;
    std::string type;
    std::size_t values = 0;  // of texts
    std::vector<std::string> parts;
  };
  std::size_t rows_ = 0;
  std::vector<Column> columns_;
};

}  // namespace lapscope::reports
