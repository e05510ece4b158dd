#pragma once

#include <cstddef>
#include <memory>

#include "workloads/harness/usual_kernel.h"

// These functions make the kernels for make_usual_kernel(), with `blocks` blocks and `lanes` lanes.
namespace lapscope::workloads {

std::unique_ptr<UsualKernel> make_map(unsigned blocks, std::size_t lanes);
std::unique_ptr<UsualKernel> make_reduction(unsigned blocks, std::size_t lanes);
std::unique_ptr<UsualKernel> make_reads(unsigned blocks, std::size_t lanes);
std::unique_ptr<UsualKernel> make_arithmetic(unsigned blocks, std::size_t lanes);

// Throws SkippedError if cuBLAS is not installed.
std::unique_ptr<UsualKernel> make_gemm(unsigned blocks, std::size_t lanes);

}  // namespace lapscope::workloads
