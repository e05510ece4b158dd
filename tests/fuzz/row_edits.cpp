#include "tests/fuzz/row_edits.h"

#include <fstream>
#include <iterator>

namespace lapscope::fuzz {
namespace {

using schema::Database;

// Returns an SQL expression for a new value, which is invalid or near the old one.
std::string value_of(std::uint8_t sort, std::int64_t number, const std::string& column) {
  constexpr std::int64_t two_to_32 = std::int64_t{1} << 32;
  switch (sort % 12) {
    case 0:
      return "NULL";
    case 1:
      return std::to_string(number);
    case 2:
      return column + " + " + std::to_string(number % 1'000'000);
    case 3:
      return column + " + " + std::to_string(number % 1'000'000'000'000);
    case 4:
      return column + " + " + std::to_string(two_to_32);
    case 5:
      return "'text'";
    case 6:
      return "x'00ff80'";
    case 7:
      return "9223372036854775807";
    case 8:
      return "9007199254740992";
    case 9:
      return std::to_string(number % 16);
    case 10:
      return "1e300";
    default:
      return "-1";
  }
}

void edit(Database& database, const Seed& seed, Columns columns, Input& input) {
  const auto what = input.take<std::uint8_t>();
  const Seed::Column& column = seed.columns[input.take<std::uint16_t>() % seed.columns.size()];
  const std::string row = std::to_string(input.take<std::uint8_t>());
  const std::string name = '"' + column.name + '"';
  const auto sort = input.take<std::uint8_t>();
  const std::string value = value_of(sort, input.take<std::int64_t>(), name);
  std::string sql;
  switch (what % (columns == Columns::may_go ? 7 : 6)) {
    case 0:
    case 1:
      sql = "UPDATE " + column.table + " SET " + name + " = " + value + " WHERE rowid = " + row;
      break;
    case 2:
      sql = "UPDATE " + column.table + " SET " + name + " = " + value;
      break;
    case 3:
      sql = "DELETE FROM " + column.table + " WHERE rowid % 3 = " + row + " % 3";
      break;
    case 4:
      sql = "INSERT INTO " + column.table + " SELECT * FROM " + column.table +
            " WHERE rowid <= " + row;
      break;
    case 5:
      sql = "DROP TABLE " + column.table;
      break;
    default:
      sql = "ALTER TABLE " + column.table + " DROP COLUMN " + name;
  }
  try {
    database.execute(sql);
  } catch (const schema::SqliteError&) {
    // A constraint forbids the edit, or an earlier edit has removed the table or column.
  }
}

}  // namespace

Seed read_seed(const std::filesystem::path& path) {
  Seed seed;
  std::ifstream file(path, std::ios::binary);
  seed.bytes.assign(std::istreambuf_iterator<char>(file), {});
  Database database = Database::immutable(path);
  schema::Statement columns(
      database,
      "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c "
      "WHERE t.type = 'table' AND t.name NOT LIKE 'ENUM%' ORDER BY 1, c.cid");
  while (columns.step()) {
    seed.columns.push_back({std::string(columns.text(0)), std::string(columns.text(1))});
  }
  return seed;
}

std::string edited(const Seed& seed, Columns columns, Input& input) {
  std::string path = file_of(seed.bytes);
  Database database(path, Database::Mode::read_write);
  database.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN");
  while (!input.empty()) edit(database, seed, columns, input);
  database.execute("COMMIT");
  return path;
}

}  // namespace lapscope::fuzz
