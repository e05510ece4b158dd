#pragma once

#include <functional>

#include "readers/read_trace.h"
#include "tests/analyzer/support/trace_file.h"

namespace lapscope::test {

// Reads a trace with the rows that `fill` adds.
inline analyzer::Trace read_written(const std::function<void(trace::TraceWriter&)>& fill) {
  const TemporaryFolder folder;
  write_trace(folder / "t.sqlite", fill);
  return analyzer::read_trace(folder / "t.sqlite");
}

}  // namespace lapscope::test
