#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>

#include "collector/schema/statements.h"

namespace lapscope::trace {

// Collects rows of one table to insert them together. With one statement for the whole batch,
// SQLite needs less than half the time of one statement per row. If a parameter keeps its value
// from the previous batch, the value is not bound a second time. This saves most bindings if a
// program launches the same kernel many times.
template <class Row>
class RowBatch {
 public:
  static constexpr std::size_t capacity = 32;

  std::size_t size() const { return size_; }
  const Row& operator[](std::size_t index) const { return rows_[index]; }
  bool full() const { return size_ == capacity; }
  void add(const Row& row) { rows_[size_++] = row; }
  void clear() { size_ = 0; }

  // Inserts the rows of a full batch. `statement` comes from insert_sql() with `capacity` rows.
  void insert_all(schema::Statement& statement) {
    for (std::size_t i = 0; i < capacity; ++i) bind(statement, i);
    bound_before_ = true;
    size_ = 0;
    statement.execute();
  }

  // Call this function when insert_all() gets a new statement.
  void forget_bindings() { bound_before_ = false; }

 private:
  void bind(schema::Statement& statement, std::size_t index) {
    const schema::Layout& layout = schema::layout_of<Row>();
    const int first = static_cast<int>(index * layout.cells.size()) + 1;
    if (bound_before_) {
      schema::bind_changes(statement, layout, first, schema::bytes_of(rows_[index]),
                           schema::bytes_of(bound_[index]));
    } else {
      bound_[index] = rows_[index];
      schema::bind_values(statement, layout, schema::bytes_of(bound_[index]), first);
    }
  }

  std::array<Row, capacity> rows_;
  std::array<Row, capacity> bound_;
  std::size_t size_ = 0;
  bool bound_before_ = false;
};

}  // namespace lapscope::trace
