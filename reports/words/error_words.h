#pragma once

#include <cstdint>
#include <string>

namespace lapscope::reports {

// Returns the number of a cudaError_t or CUresult, and its meaning: "222 (unsupported PTX
// version)". The meaning comes from CUDA's headers (driver_types.h, cuda.h). If both enums have an
// error, it has the same number in both. Returns only the number if the headers do not explain it.
std::string error_words(std::int64_t error);

}  // namespace lapscope::reports
