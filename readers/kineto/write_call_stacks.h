#pragma once

#include <cstddef>
#include <cstdint>

#include "collector/trace/trace_writer.h"

namespace lapscope::kineto {

// Ranges of these NVTX domains are Python frames, and PyTorch operators.
inline constexpr std::int64_t domain_of_operators = 1;
inline constexpr std::int64_t domain_of_python = 2;

inline constexpr std::size_t most_frames = 64;  // of a stack

// Gives each call the stack of the Python frames and operators that were open on its thread when it
// began:
//
//   thread   [train.py(12): step           ]
//                  [aten::add_       ]
//                      [cudaLaunchKernel]        aten::add_ <- train.py:12 in step
//
// Kineto knows the line at which a function begins, not the one that it was at. Frames without a
// file (built-in functions) are left out, and so are those beyond 64. The ranges and calls are in
// the trace by then.
void write_call_stacks(trace::TraceWriter& writer);

}  // namespace lapscope::kineto
