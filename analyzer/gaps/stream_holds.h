#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Which ops of a device had something enqueued in their stream between the op before them and
// themselves that holds the stream up until something else has happened. Two bits an op.
class StreamHolds {
 public:
  StreamHolds(const Trace& trace, const Device& device);

  // A cudaStreamWaitEvent of the op's stream.
  bool waited_for_event(std::uint32_t op) const { return after_wait_[op]; }
  // A cudaLaunchHostFunc or cudaStreamAddCallback of the process. No record tells its stream: one
  // that was enqueued in the time in question may have been of another stream. Or a host function
  // that is a node of the same CUDA graph.
  bool waited_for_host_function(std::uint32_t op) const { return after_host_function_[op]; }

 private:
  std::vector<bool> after_wait_;
  std::vector<bool> after_host_function_;
};

}  // namespace lapscope::analyzer
