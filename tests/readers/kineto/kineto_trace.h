#pragma once

#include <string>
#include <utility>

#include "readers/kineto/import.h"
#include "readers/read_trace.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::test {

// Returns the trace that lapscope makes from the text of a file of PyTorch's profiler.
inline analyzer::Trace trace_of_kineto(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder / "t.json", text);
  auto writer = trace::TraceWriter::unread(schema::Database::unnamed());
  kineto::import_trace(folder / "t.json", writer, nullptr);
  writer.finish();
  return analyzer::read_trace(trace::TraceWriter::taken(std::move(writer)), "t.json");
}

}  // namespace lapscope::test
