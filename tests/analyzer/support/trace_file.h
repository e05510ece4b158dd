#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "collector/trace/trace_writer.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::test {

// Writes a trace of a complete recording. `fill` adds the rows.
void write_trace(const std::filesystem::path& path,
                 const std::function<void(trace::TraceWriter&)>& fill);

// Make rows with the columns that the analyzer uses. All other columns are 0 or NULL.
schema::KernelRow kernel(std::int64_t start, std::int64_t end, std::int64_t stream = 7,
                         std::int64_t device = 0);
schema::MemcpyRow memcpy(std::int64_t start, std::int64_t end, std::int64_t copy_kind,
                         std::optional<std::int64_t> channel_type = 2, std::int64_t device = 0);
schema::MemsetRow memset(std::int64_t start, std::int64_t end, std::int64_t device = 0);

// Returns the sorted names of all files in a folder. Tests check with it that no file was added.
std::vector<std::string> names_in(const std::filesystem::path& folder);

}  // namespace lapscope::test
