#pragma once

#include <array>
#include <cstddef>

#include "collector/schema/statements.h"

namespace lapscope::trace {

// Collects rows of one table to insert them together. With one statement for the whole batch,
// SQLite needs less than half the time of one statement per row. The bindings of the previous batch
// remain. So if a value is the same as in the previous batch, it is not bound again. This saves
// most bindings if a program launches the same kernel many times.
class RowBatch {
 public:
  static constexpr std::size_t capacity = 32;

  virtual ~RowBatch() = default;

  bool is_empty() const { return size_ == 0; }
  bool is_full() const { return size_ == capacity; }

  // Inserts the rows of a full batch. `statement` comes from insert_sql() with `capacity` rows.
  void insert_all(schema::Statement& statement);
  // Inserts the rows with one statement per row. `statement` comes from insert_sql() with one row.
  void insert_each(schema::Statement& statement);
  // Call this function when insert_all() gets a new statement.
  void forget_bindings() { is_bound_ = false; }

 protected:
  explicit RowBatch(const schema::Layout& layout) : layout_(layout) {}
  RowBatch(const RowBatch&) = delete;
  RowBatch& operator=(const RowBatch&) = delete;

  std::size_t size_ = 0;

 private:
  virtual const std::byte* row(std::size_t index) const = 0;
  // Returns the values that are bound at present to the parameters of the row with this index.
  virtual std::byte* bound(std::size_t index) = 0;
  // Copies a row to the bound row.
  virtual void copy_to_bound(std::size_t index) = 0;

  const schema::Layout& layout_;
  bool is_bound_ = false;
};

template <class Row>
class BatchOf : public RowBatch {
 public:
  BatchOf() : RowBatch(schema::layout_of<Row>()) {}

  void add(const Row& row) { rows_[size_++] = row; }

 private:
  const std::byte* row(std::size_t index) const override { return schema::bytes_of(rows_[index]); }
  std::byte* bound(std::size_t index) override { return schema::bytes_of(bound_[index]); }
  void copy_to_bound(std::size_t index) override { bound_[index] = rows_[index]; }

  std::array<Row, capacity> rows_;
  std::array<Row, capacity> bound_;
};

}  // namespace lapscope::trace
