#pragma once

#include <filesystem>
#include <string>
#include <vector>

// Alterations of a trace, each an SQL statement.
namespace lapscope::altered {

struct Alteration {
  std::string table;
  std::string column;  // "*" if whole rows are deleted or doubled
  std::string what;    // "all = 0", "one = another's", "delete the last half", ...
  std::string sql;
};

// Returns alterations of every column of every table. New values are 0, -1, 2, 8, 2^63-1, NULL, the
// column's largest value, half of the value, the value of a near row, and an unused id. Each is
// written into the middle row, and into all rows. Other alterations delete or double rows, drop a
// table, or shift a column by one row.
std::vector<Alteration> alterations_of(const std::filesystem::path& trace);

// Writes the altered copy and replaces an existing file. Returns false if SQLite refuses the
// statement.
bool write_altered(const std::filesystem::path& trace, const Alteration& alteration,
                   const std::filesystem::path& copy);

}  // namespace lapscope::altered
