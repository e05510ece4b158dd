#include "tests/altered/alterations.h"

#include <array>
#include <string_view>

#include "collector/schema/sqlite.h"

namespace lapscope::altered {
namespace {

using schema::Database;
using schema::Statement;

struct Value {
  std::string_view name;
  std::string (*of)(const std::string& table, const std::string& column);
};

std::string most(const std::string& table, const std::string& column) {
  return "(SELECT max(" + column + ") FROM " + table + ")";
}

// The values that an alteration writes into a column. "another's" is a different value of the same
// column, from the nearest row that has one. If all rows have the same value, "another's" is NULL.
// "nobody's" occurs in no row.
constexpr std::array values = {
    Value{"0", [](const std::string&, const std::string&) { return std::string("0"); }},
    Value{"-1", [](const std::string&, const std::string&) { return std::string("-1"); }},
    Value{"2", [](const std::string&, const std::string&) { return std::string("2"); }},
    Value{"8", [](const std::string&, const std::string&) { return std::string("8"); }},
    Value{"2^63-1", [](const std::string&,
                       const std::string&) { return std::string("9223372036854775807"); }},
    Value{"NULL", [](const std::string&, const std::string&) { return std::string("NULL"); }},
    Value{"its greatest", most},
    Value{"half", [](const std::string&, const std::string& column) { return column + " / 2"; }},
    Value{"another's",
          [](const std::string& table, const std::string& column) {
            return "(SELECT o." + column + " FROM " + table + " o WHERE o." + column +
                   " != " + table + "." + column + " ORDER BY abs(o.rowid - " + table +
                   ".rowid) LIMIT 1)";
          }},
    Value{"nobody's", [](const std::string& table,
                         const std::string& column) { return most(table, column) + " + 1000"; }},
};

constexpr std::string_view middle =
    "rowid = (SELECT rowid FROM T LIMIT 1 OFFSET (SELECT count(*) FROM T) / 2)";

std::string where_of_middle(const std::string& table) {
  std::string text(middle);
  for (auto at = text.find(" T "); at != std::string::npos; at = text.find(" T ")) {
    text.replace(at + 1, 1, table);
  }
  for (auto at = text.find(" T)"); at != std::string::npos; at = text.find(" T)")) {
    text.replace(at + 1, 1, table);
  }
  return text;
}

void add_columns(const std::string& table, const std::vector<std::string>& columns,
                 std::vector<Alteration>& all) {
  for (const std::string& name : columns) {
    const std::string column = '"' + name + '"';
    for (const Value& value : values) {
      const std::string set =
          "UPDATE " + table + " SET " + column + " = " + value.of(table, column);
      const std::string text(value.name);
      all.push_back({table, name, "all = " + text, set});
      all.push_back({table, name, "one = " + text, set + " WHERE " + where_of_middle(table)});
    }
  }
}

void add_rows(const std::string& table, const std::vector<std::string>& columns,
              std::vector<Alteration>& all) {
  const std::string remove = "DELETE FROM " + table + " WHERE ";
  const std::string add = "INSERT INTO " + table + " SELECT * FROM " + table;
  const std::string last_half =
      "rowid > (SELECT min(rowid) + (max(rowid) - min(rowid)) / 2 FROM " + table + ")";
  all.push_back({table, "*", "delete all", remove + "1"});
  all.push_back({table, "*", "delete the last half", remove + last_half});
  all.push_back({table, "*", "delete every third", remove + "rowid % 3 = 0"});
  all.push_back({table, "*", "delete one", remove + where_of_middle(table)});
  all.push_back({table, "*", "drop", "DROP TABLE " + table});
  all.push_back({table, "*", "double all", add});
  all.push_back({table, "*", "double one", add + " WHERE " + where_of_middle(table)});
  // Moves the values of one column up by one row.
  for (const std::string& name : columns) {
    const std::string column = '"' + name + '"';
    all.push_back({table, name, "shift",
                   "CREATE TEMP TABLE shifted AS SELECT rowid AS place, lead(" + column +
                       ") OVER (ORDER BY rowid) AS value FROM " + table + "; UPDATE " + table +
                       " SET " + column +
                       " = (SELECT value FROM temp.shifted WHERE place = " + table +
                       ".rowid) WHERE rowid IN (SELECT place FROM temp.shifted WHERE value IS "
                       "NOT NULL); DROP TABLE temp.shifted"});
  }
}

}  // namespace

std::vector<Alteration> alterations_of(const std::filesystem::path& path) {
  Database trace = Database::immutable(path);
  std::vector<std::string> tables;
  {
    Statement names(trace,
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND "
                    "name NOT LIKE 'ENUM%' AND name NOT LIKE 'sqlite%' ORDER BY name");
    while (names.step()) tables.emplace_back(names.text(0));
  }
  std::vector<Alteration> all;
  for (const std::string& table : tables) {
    if (trace.query_int64("SELECT count(*) FROM " + table).value_or(0) == 0) continue;
    std::vector<std::string> columns;
    {
      Statement names(trace, "SELECT name FROM pragma_table_info('" + table + "')");
      while (names.step()) columns.emplace_back(names.text(0));
    }
    // Columns that are NULL in every row were not recorded.
    std::erase_if(columns, [&](const std::string& column) {
      return trace.query_int64("SELECT count(\"" + column + "\") FROM " + table).value_or(0) == 0;
    });
    add_columns(table, columns, all);
    add_rows(table, columns, all);
  }
  return all;
}

bool write_altered(const std::filesystem::path& trace, const Alteration& alteration,
                   const std::filesystem::path& copy) {
  namespace fs = std::filesystem;
  fs::copy_file(trace, copy, fs::copy_options::overwrite_existing);
  fs::permissions(copy, fs::perms::owner_write, fs::perm_options::add);
  try {
    Database database(copy, Database::Mode::read_write);
    database.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN");
    database.execute(alteration.sql);
    database.execute("COMMIT");
  } catch (const schema::SqliteError&) {
    return false;
  }
  return true;
}

}  // namespace lapscope::altered
