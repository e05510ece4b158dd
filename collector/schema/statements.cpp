#include "collector/schema/statements.h"

namespace lapscope::schema {

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

std::string_view name_of(ColumnType type) {
  switch (type) {
    case ColumnType::integer:
      return "INTEGER";
    case ColumnType::real:
      return "REAL";
    case ColumnType::text:
      return "TEXT";
  }
  return "";
}

}  // namespace lapscope::schema
