#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "collector/schema/sqlite.h"
#include "tests/fuzz/input.h"

namespace lapscope::fuzz {

// A database whose rows inputs change.
struct Seed {
  struct Column {
    std::string table;
    std::string name;
  };
  std::vector<std::uint8_t> bytes;
  std::vector<Column> columns;  // of all tables but those of what numbers mean
};

Seed read_seed(const std::filesystem::path& path);

// Which layouts come out of changes: those of a recorder are its own, and of exports there are as
// many as releases.
enum class Columns { stay, may_go };

// Writes the seed to file_of() and changes it as what is left of the input says: cells, rows,
// tables. What SQLite does not accept does not happen. The path.
std::string edited(const Seed& seed, Columns columns, Input& input);

}  // namespace lapscope::fuzz
