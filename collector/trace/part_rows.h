#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "collector/trace/trace_writer.h"

namespace lapscope::trace {

// Writes rows of which only some columns are known. The known columns must be integers. The table
// in the file gets only the known columns. Readers treat an absent column as unknown. Single cells
// may be unknown, too.
template <class Row, auto... Members>
class PartRows {
 public:
  using Values = std::array<std::optional<std::int64_t>, sizeof...(Members)>;

  explicit PartRows(TraceWriter& writer) : writer_(writer) {}

  // Adds a row. The row may be inserted later, at the latest in finish().
  void add(const Values& values) {
    ++rows_;
    waiting_.add(values);
    if (!waiting_.is_full()) return;
    if (!many_) many_.emplace(writer_.prepare(table(), RowBatch::capacity));
    waiting_.insert_all(*many_);
  }

  std::int64_t rows() const { return rows_; }

  // Inserts the waiting rows and releases the prepared statement. No row may follow.
  void finish() {
    if (!waiting_.is_empty()) {
      schema::Statement one = writer_.prepare(table(), 1);
      waiting_.insert_each(one);
    }
    many_.reset();
  }

 private:
  static schema::TableInfo table() {
    static const auto columns = [] {
      std::array all = {info_of(Members)...};
      for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].nullable = true;
        all[i].offset = i * sizeof(typename Values::value_type);
      }
      return all;
    }();
    return {schema::describe<Row>.name, schema::describe<Row>.meaning, columns};
  }

  template <class T>
  static schema::ColumnInfo info_of(T Row::*member) {
    static_assert(schema::column_type<T>() == schema::ColumnType::integer);
    return schema::column_of<Row>(member);
  }

  TraceWriter& writer_;
  BatchOf<Values> waiting_{table()};
  std::int64_t rows_ = 0;
  std::optional<schema::Statement> many_;
};

}  // namespace lapscope::trace
