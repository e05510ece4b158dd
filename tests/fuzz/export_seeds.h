#pragma once

#include <filesystem>
#include <span>

#include "tests/analyzer/support/export_file.h"

namespace lapscope::fuzz {

// A synthetic export of Nsight Systems. Its program has an example of each kind of activity that an
// export can contain.
struct ExportLayout {
  const char* name;
  test::NsysRelease release;
  const char* changes;  // SQL that changes the fullest layout into this one
};

std::span<const ExportLayout> export_layouts();

void write_export(const std::filesystem::path& path, const ExportLayout& layout);

}  // namespace lapscope::fuzz
