#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "collector/trace/trace_writer.h"
#include "readers/tables/row_limit.h"

namespace lapscope::xprof {

// Converts an XProf profile, XSpace or JSON, to a trace; docs/xprof.md lists the mapping. Time 0 is
// the start of the profile's session. XProf does not record process ids, so all calls and ops
// belong to one process. Throws the exceptions of read_xspace() and read_profile_json(), and
// schema::SqliteError. Throws UnreadableTrace as soon as the profile exceeds `limit`.
void import_profile(const std::filesystem::path& path, trace::TraceWriter& trace,
                    std::atomic<std::int64_t>* done, analyzer::RowLimit limit = {});

// NVTX domains for the ranges of a profile. The first is for Python frames, which also become the
// stacks of calls. The second is for intervals that XLA, JAX or TraceAnnotation marked. The default
// domain is for the steps of the loop, and for ranges that the program made with NVTX.
inline constexpr std::int64_t domain_of_python = 2;
inline constexpr std::int64_t domain_of_marks = 3;

}  // namespace lapscope::xprof
