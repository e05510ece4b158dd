#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "collector/trace/trace_writer.h"
#include "readers/kineto/json.h"
#include "readers/tables/row_limit.h"

namespace lapscope::kineto {

// Writes what PyTorch's profiler has exported, plain or packed by gzip, as a trace. What the
// profiler does not record is in no column: docs/pytorch-profiler.md has what becomes of what.
// `done` as for read_json. Takes a few MB and every name once. Throws UnreadableJson,
// UnreadableTrace as soon as there is more than `limit`, and schema::SqliteError.
void import_trace(const std::filesystem::path& path, trace::TraceWriter& trace,
                  std::atomic<std::int64_t>* done, analyzer::RowLimit limit = {});

}  // namespace lapscope::kineto
