#pragma once

#include <cstdint>
#include <string>

namespace lapscope::reports {

// A cudaError_t or CUresult, which have the same numbers where both have one, and what CUDA's
// headers (driver_types.h, cuda.h) say that it means: "222 (unsupported PTX version)". The number
// alone where they say nothing.
std::string error_words(std::int64_t error);

}  // namespace lapscope::reports
