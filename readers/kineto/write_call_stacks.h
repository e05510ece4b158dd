#pragma once

#include <cstddef>
#include <cstdint>

#include "collector/trace/trace_writer.h"

namespace lapscope::kineto {

// NVTX domains whose ranges are PyTorch operators and Python frames.
inline constexpr std::int64_t domain_of_operators = 1;
inline constexpr std::int64_t domain_of_python = 2;

inline constexpr std::size_t most_frames = 64;  // per stack

// Gives each call a stack: the Python frames and operators that are open on its thread when the
// call begins. The ranges and calls must already be in the trace.
//
//   thread   [train.py(12): step           ]
//                  [aten::add_       ]
//                      [cudaLaunchKernel]        aten::add_ <- train.py:12 in step
//
// The line is the first line of the function: Kineto records no other line. The stack leaves out
// frames without a file (built-in functions) and frames beyond `most_frames`.
void write_call_stacks(trace::TraceWriter& writer);

}  // namespace lapscope::kineto
