#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "collector/trace/trace_writer.h"

namespace lapscope::trace {

// Writes rows of which only some columns are known. The known columns must be integers. The table
// in the file gets only the known columns. Readers treat an absent column as unknown. Single cells
// may be unknown, too.
template <class Row, auto... Members>
class PartRows {
 public:
  static constexpr std::size_t width = sizeof...(Members);
  using Values = std::array<std::optional<std::int64_t>, width>;

  explicit PartRows(TraceWriter& writer) : writer_(writer) {}

  // Adds a row. The row may be inserted later, at the latest in finish().
  void add(const Values& values) {
    ++rows_;
    waiting_[count_++] = values;
    if (count_ < at_once) return;
    if (!many_) many_.emplace(writer_.prepare(table(), at_once));
    insert(*many_, 0, at_once);
    count_ = 0;
  }

  std::int64_t rows() const { return rows_; }

  // Inserts the waiting rows and releases the prepared statement.
  void finish() {
    if (count_ > 0) {
      schema::Statement one = writer_.prepare(table(), 1);
      for (std::size_t i = 0; i < count_; ++i) insert(one, i, 1);
    }
    count_ = 0;
    many_.reset();
  }

 private:
  static constexpr std::size_t at_once = 32;

  static schema::TableInfo table() {
    static const std::vector<schema::ColumnInfo> columns = {info_of(Members)...};
    return {schema::describe<Row>.name, schema::describe<Row>.meaning, columns};
  }

  template <class T>
  static schema::ColumnInfo info_of(T Row::*member) {
    static_assert(schema::column_type<T>() == schema::ColumnType::integer);
    schema::ColumnInfo info = schema::column_of<Row>(member);
    info.nullable = true;
    return info;
  }

  void insert(schema::Statement& statement, std::size_t first, std::size_t rows) {
    int parameter = 0;
    for (std::size_t row = first; row < first + rows; ++row) {
      for (const std::optional<std::int64_t>& value : waiting_[row]) {
        ++parameter;
        if (value) {
          statement.bind(parameter, *value);
        } else {
          statement.bind_null(parameter);
        }
      }
    }
    statement.execute();
  }

  TraceWriter& writer_;
  std::array<Values, at_once> waiting_;
  std::size_t count_ = 0;
  std::int64_t rows_ = 0;
  std::optional<schema::Statement> many_;
};

}  // namespace lapscope::trace
