#pragma once

#include <filesystem>
#include <string>
#include <vector>

// Copies of a trace that differ from it in one statement of SQL.
namespace lapscope::altered {

struct Alteration {
  std::string table;
  std::string column;  // "*" where rows are deleted, doubled or shifted as a whole
  std::string what;    // "all = 0", "one = another's", "delete last half", ...
  std::string sql;
};

// Each column of each table with rows set to 0, -1, its greatest value, the greatest there is,
// NULL, half of itself, the value of the row before, and an id that nobody owns: in the row in the
// middle, and in all. Rows of each table deleted, doubled, exchanged and shifted.
std::vector<Alteration> alterations_of(const std::filesystem::path& trace);

// Writes the altered copy, over what is there. False where SQLite refuses the statement.
bool write_altered(const std::filesystem::path& trace, const Alteration& alteration,
                   const std::filesystem::path& copy);

}  // namespace lapscope::altered
