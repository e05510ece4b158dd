#pragma once

#include <cstdint>
#include <string>

#include "analyzer/graph/critical_path.h"

namespace lapscope::analyzer {

// What people call the things in a graph. Calls are indices into Trace::calls.
class GraphNames {
 public:
  explicit GraphNames(const Sources& sources) : sources_(sources) {}

  // A kernel's name, or as "copy h2d", "host function".
  std::string of_task(std::uint32_t task) const;
  // The call that issued a task; no_index when it is not in the trace.
  std::uint32_t call_of(std::uint32_t task) const;
  // As cudaMemcpyAsync.
  std::string function(std::uint32_t call) const;
  // As "thread 4711"; empty for no call.
  std::string thread(std::uint32_t call) const;
  // The innermost NVTX range around a call, in Trace::ranges; no_index when there is none.
  std::uint32_t range_around(std::uint32_t call) const;
  // Empty for no range.
  std::string range(std::uint32_t range) const;

 private:
  const Sources& sources_;
};

}  // namespace lapscope::analyzer
