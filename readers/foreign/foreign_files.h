#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "collector/schema/sqlite.h"

// Recognises files of other tools that lapscope does not read.
//
// Each function returns a text such as "is a report of Nsight Compute, ... Record ...". Put the
// name of the file before the text. The text ends with a sentence about what the user can do next.
// For a file of an unknown tool, each function returns nothing. To add a tool, add a row to the
// table in foreign_files.cpp.
namespace lapscope::analyzer {

// Recognises a file by its name and its first bytes, and a folder by the names of its entries.
std::optional<std::string> foreign_file(const std::filesystem::path& path);

// Recognises a database by the names of its tables.
std::optional<std::string> foreign_database(schema::Database& database);

// Recognises a JSON file. `begin` is the beginning of the file, after unpacking.
std::optional<std::string> foreign_json(std::string_view begin);

// Recognises a trace of an accelerator other than a GPU. `mark` is a category of PyTorch's profiler
// ("mtia_runtime") or a plane of XProf ("/device:TPU:0"). The text names the accelerator.
std::optional<std::string> foreign_accelerator(std::string_view mark);

// Returns whether the path is a regular file with a size above 0. A file that Linux generates on
// reading, such as /proc/kmsg, has size 0, and reading it may never end.
bool has_bytes(const std::filesystem::path& path);

// Returns up to `most` bytes from the start of the file. Returns an empty string if the file is
// empty or cannot be read.
std::string beginning_of(const std::filesystem::path& path, std::size_t most);

}  // namespace lapscope::analyzer
