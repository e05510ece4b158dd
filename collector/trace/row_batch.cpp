#include "collector/trace/row_batch.h"

namespace lapscope::trace {

void RowBatch::insert_all(schema::Statement& statement) {
  for (std::size_t i = 0; i < capacity; ++i) {
    const int first = static_cast<int>(i * layout_.cells.size()) + 1;
    if (is_bound_) {
      schema::bind_changes(statement, layout_, first, row(i), bound(i));
    } else {
      copy_to_bound(i);
      schema::bind_values(statement, layout_, bound(i), first);
    }
  }
  is_bound_ = true;
  size_ = 0;
  statement.execute();
}

void RowBatch::insert_each(schema::Statement& statement) {
  for (std::size_t i = 0; i < size_; ++i) {
    schema::bind_values(statement, layout_, row(i));
    statement.execute();
  }
  size_ = 0;
}

}  // namespace lapscope::trace
