#pragma once

#include <cstddef>
#include <memory>

#include "workloads/harness/usual_kernel.h"

// What make_usual_kernel chooses from: of `blocks` blocks, for as many lanes.
namespace lapscope::workloads {

std::unique_ptr<UsualKernel> make_map(unsigned blocks, std::size_t lanes);
std::unique_ptr<UsualKernel> make_reduction(unsigned blocks, std::size_t lanes);
std::unique_ptr<UsualKernel> make_reads(unsigned blocks, std::size_t lanes);
std::unique_ptr<UsualKernel> make_arithmetic(unsigned blocks, std::size_t lanes);

// Throws SkippedError where there is no cuBLAS.
std::unique_ptr<UsualKernel> make_gemm(unsigned blocks, std::size_t lanes);

}  // namespace lapscope::workloads
