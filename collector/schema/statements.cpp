#include "collector/schema/statements.h"

namespace lapscope::schema {
namespace {

template <class T>
void bind_value(Statement& statement, int index, const T& value) {
  if constexpr (IsOptional<T>::value) {
    if (value) {
      statement.bind(index, *value);
    } else {
      statement.bind_null(index);
    }
  } else {
    statement.bind(index, value);
  }
}

}  // namespace

void bind_values(Statement& statement, const TableInfo& table, const std::byte* row, int first) {
  for_each_value(table, row, [&](const ColumnInfo&, const auto& value, int i) {
    bind_value(statement, first + i, value);
  });
}

void bind_changes(Statement& statement, const TableInfo& table, int first, const std::byte* row,
                  std::byte* bound) {
  for_each_value(table, bound, [&]<class T>(const ColumnInfo& column, T& last, int i) {
    const T& value = *reinterpret_cast<const T*>(row + column.offset);
    if (last == value) return;
    last = value;
    bind_value(statement, first + i, last);
  });
}

std::string create_table_sql(const TableInfo& table) {
  std::string sql = "CREATE TABLE IF NOT EXISTS " + std::string(table.name) + " (";
  for (const ColumnInfo& column : table.columns) {
    if (&column != &table.columns.front()) sql += ", ";
    sql.append(column.name).append(" ").append(name_of(column.type));
    if (!column.nullable) sql += " NOT NULL";
  }
  return sql + ")";
}

std::string insert_sql(const TableInfo& table, std::size_t rows) {
  std::string names;
  std::string values;
  for (const ColumnInfo& column : table.columns) {
    if (!names.empty()) {
      names += ", ";
      values += ", ";
    }
    names += column.name;
    values += "?";
  }
  std::string sql =
      "INSERT OR FAIL INTO " + std::string(table.name) + " (" + names + ") VALUES (" + values + ")";
  for (std::size_t row = 1; row < rows; ++row) sql.append(", (").append(values).append(")");
  return sql;
}

std::string select_sql(Database& database, const TableInfo& table,
                       std::span<const ColumnInfo* const> columns, bool refuses) {
  std::string sql;
  for (const ColumnInfo* column : columns) {
    const bool is_present = database.has_column(table.name, column->name);
    if (refuses && !is_present && !column->nullable) throw MissingColumn(table.name, column->name);
    sql.append(sql.empty() ? "SELECT " : ", ").append(is_present ? column->name : "NULL");
  }
  return sql.append(" FROM ").append(table.name);
}

std::string_view name_of(ColumnType type) {
  constexpr std::string_view names[] = {"INTEGER", "REAL", "TEXT"};
  return names[static_cast<std::size_t>(type)];
}

}  // namespace lapscope::schema
