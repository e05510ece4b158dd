#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "collector/trace/trace_writer.h"
#include "readers/tables/row_limit.h"

namespace lapscope::xprof {

// Writes a profile of XProf, XSpace or JSON, as a trace; docs/xprof.md has what becomes of what.
// Times are those of the profile, which begin with its session. XProf does not record which process
// it was: all calls and ops belong to one. Throws as read_xspace and read_profile_json do,
// UnreadableTrace as soon as there is more than `limit`, and schema::SqliteError.
void import_profile(const std::filesystem::path& path, trace::TraceWriter& trace,
                    std::atomic<std::int64_t>* done, analyzer::RowLimit limit = {});

// Ranges of these NVTX domains are Python frames, which are the frames of calls, and what XLA and
// the program mark. Ranges of the default domain are the program's steps, and what it marks with
// NVTX itself.
inline constexpr std::int64_t domain_of_python = 2;
inline constexpr std::int64_t domain_of_marks = 3;

}  // namespace lapscope::xprof
