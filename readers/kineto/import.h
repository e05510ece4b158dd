#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "collector/trace/trace_writer.h"
#include "readers/kineto/json.h"
#include "readers/tables/row_limit.h"

namespace lapscope::kineto {

// Converts a file of PyTorch's profiler, plain or gzip-packed, to a trace. Columns for data that
// the profiler does not record are absent; docs/pytorch-profiler.md lists the mapping.
//
// `done` is the number of bytes read so far, as in read_json(). Memory use is a few MB plus one
// copy of each name. Throws UnreadableJson and schema::SqliteError. Throws UnreadableTrace as soon
// as the file exceeds `limit`.
void import_trace(const std::filesystem::path& path, trace::TraceWriter& trace,
                  std::atomic<std::int64_t>* done, analyzer::RowLimit limit = {});

}  // namespace lapscope::kineto
