#include "tests/collector/support/rows.h"

namespace lapscope::test {

void fill(const schema::TableInfo& table, std::byte* row, bool with_nulls) {
  schema::for_each_value(table, row, [&]<class T>(const schema::ColumnInfo&, T& value, int index) {
    using Known = typename schema::IsOptional<T>::value_type;
    if (schema::IsOptional<T>::value && with_nulls) return;
    if constexpr (std::is_same_v<Known, std::string>) {
      value = "text " + std::to_string(index);
    } else if constexpr (std::is_same_v<Known, double>) {
      value = index + 0.25;
    } else {
      value = (std::int64_t{1} << 40) + index;
    }
  });
}

bool same(const schema::TableInfo& table, const std::byte* a, const std::byte* b) {
  bool same = true;
  schema::for_each_value(table, a, [&]<class T>(const schema::ColumnInfo& column, T& value, int) {
    same = same && value == *reinterpret_cast<T*>(b + column.offset);
  });
  return same;
}

void read(const schema::TableInfo& table, const schema::Statement& statement, std::byte* row) {
  schema::for_each_value(table, row, [&]<class T>(const schema::ColumnInfo&, T& value, int index) {
    value = schema::read_value<T>(statement, index);
  });
}

bool holds(schema::Database& database, const schema::TableInfo& table,
           const std::vector<const std::byte*>& rows, std::size_t skipped) {
  schema::Statement statement(database,
                              "SELECT * FROM " + std::string(table.name) + " ORDER BY rowid");
  for (; skipped > 0; --skipped) statement.step();
  bool same = true;
  for (const std::byte* row : rows) {
    if (!statement.step()) return false;
    schema::for_each_value(table, row, [&]<class T>(const schema::ColumnInfo&, T& value, int i) {
      same = same && value == schema::read_value<std::remove_const_t<T>>(statement, i);
    });
  }
  return same && !statement.step();
}

std::size_t count_rows(schema::Database& database, const schema::TableInfo& table) {
  const std::string name(table.name);
  if (!database.has_table(name)) return 0;
  return static_cast<std::size_t>(*database.query_int64("SELECT count(*) FROM " + name));
}

}  // namespace lapscope::test
