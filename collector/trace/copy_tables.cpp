#include "collector/trace/copy_tables.h"

#include <string>
#include <vector>

#include "collector/schema/capture_facts.h"
#include "collector/schema/enumeration.h"
#include "collector/schema/export_tables.h"
#include "collector/schema/tables.h"
#include "collector/schema/views.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::trace {
namespace {

using schema::Database;
using schema::Statement;

std::vector<std::string> copied_tables() {
  std::vector<std::string> names;
  for (const schema::TableInfo& table : schema::all_tables()) names.emplace_back(table.name);
  names.insert(names.end(), schema::export_table::all.begin(), schema::export_table::all.end());
  for (const schema::Enumeration& values : schema::enumerations()) {
    names.emplace_back(values.table);
  }
  return names;
}

// Quotes an identifier, because columns in a file from an untrusted source may have any names.
std::string identifier(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

void copy_table(const std::string& table, Database& from, Database& to) {
  std::string columns;
  std::string definition;
  std::string places;
  int count = 0;
  Statement known(from, "SELECT name, type FROM pragma_table_info(?1)");
  known.bind(1, table);
  while (known.step()) {
    const char* const comma = count++ == 0 ? "" : ", ";
    const std::string name = identifier(known.text(0));
    columns += comma + name;
    definition += comma + name + " " + identifier(known.text(1));
    places += comma + std::string("?");
  }
  to.execute("CREATE TABLE " + identifier(table) + " (" + definition + ")");
  Statement rows(from, "SELECT " + columns + " FROM " + identifier(table));
  Statement insert(to, "INSERT INTO " + identifier(table) + " VALUES (" + places + ")");
  while (rows.step()) {
    for (int column = 0; column < count; ++column) insert.bind_copy(column + 1, rows, column);
    insert.execute();
  }
}

}  // namespace

void copy_tables(Database& from, Database& to, std::string_view format) {
  to.execute("PRAGMA application_id = " + std::to_string(schema::application_id) +
             "; PRAGMA user_version = " + std::to_string(schema::format_version) + "; BEGIN");
  for (const std::string& table : copied_tables()) {
    if (from.has_table(table)) copy_table(table, from, to);
  }
  if (!format.empty()) set_fact(to, schema::fact::converted_from, format);
  schema::create_views(to, schema::ViewPlace::in_file);
  to.execute("COMMIT");
}

}  // namespace lapscope::trace
