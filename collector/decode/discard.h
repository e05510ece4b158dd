#pragma once

#include <cstddef>
#include <cstdint>

#include "collector/cupti/cupti_api.h"

namespace lapscope::decode {

// How many records a buffer of CUPTI's holds, of which it has filled `valid` bytes.
std::int64_t count_records(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti);

// The same, and frees what the records own: for a buffer that will not be decoded.
std::int64_t discard(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti);

}  // namespace lapscope::decode
