#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "collector/schema/sqlite.h"

// Files of other tools that lapscope does not read. Each function returns the rest of a sentence
// about the file, and one with the next step: "is a report of Nsight Compute, ... Record ..."; or
// nothing where no tool is known that writes such a file. A tool is added by a row in the table of
// foreign_files.cpp.
namespace lapscope::analyzer {

// By its name and how it begins; a folder by what lies in it.
std::optional<std::string> foreign_file(const std::filesystem::path& path);

// By its tables.
std::optional<std::string> foreign_database(schema::Database& database);

// By how the JSON begins, unpacked.
std::optional<std::string> foreign_json(std::string_view begin);

// The name of the accelerator in a trace whose work ran on an accelerator that is no GPU: from a
// category of PyTorch's profiler ("mtia_runtime") or a plane of XProf ("/device:TPU:0").
std::optional<std::string> foreign_accelerator(std::string_view mark);

}  // namespace lapscope::analyzer
