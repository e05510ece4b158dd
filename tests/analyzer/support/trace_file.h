#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "collector/trace/trace_writer.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::test {

// Writes a synthetic trace: a complete recording to which `fill` adds its rows.
void write_trace(const std::filesystem::path& path,
                 const std::function<void(trace::TraceWriter&)>& fill);

// Rows with the columns that matter to the analyzer; the rest is 0 or NULL.
schema::KernelRow kernel(std::int64_t start, std::int64_t end, std::int64_t stream = 7,
                         std::int64_t device = 0);
schema::MemcpyRow memcpy(std::int64_t start, std::int64_t end, std::int64_t copy_kind,
                         std::optional<std::int64_t> channel_type = 2, std::int64_t device = 0);
schema::MemsetRow memset(std::int64_t start, std::int64_t end, std::int64_t device = 0);

// Everything in a folder, by name: to see that nothing was added.
std::vector<std::string> names_in(const std::filesystem::path& folder);

}  // namespace lapscope::test
