#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "collector/schema/sqlite.h"
#include "tests/fuzz/input.h"

namespace lapscope::fuzz {

// A database whose rows are changed by inputs.
struct Seed {
  struct Column {
    std::string table;
    std::string name;
  };
  std::vector<std::uint8_t> bytes;
  std::vector<Column> columns;  // of all tables except enumerations
};

Seed read_seed(const std::filesystem::path& path);

// Whether edits may remove columns. Only exports can lack columns.
enum class Columns { stay, may_go };

// Writes the seed to file_of(). Edits the cells, rows and tables that `input` selects. Skips edits
// that SQLite refuses. Returns the path.
std::string edited(const Seed& seed, Columns columns, Input& input);

}  // namespace lapscope::fuzz
