#pragma once

#include <cstdint>
#include <string>

namespace lapscope::reports {

// Returns the number of a cudaError_t or CUresult and its meaning from CUDA's headers
// (driver_types.h, cuda.h): "222 (unsupported PTX version)". An error that is in both enums has the
// same number in both. Returns the number alone if the headers do not explain it.
std::string error_words(std::int64_t error);

}  // namespace lapscope::reports
