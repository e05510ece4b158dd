#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/model/ops.h"

namespace lapscope::analyzer {

// An id as CUPTI counts them; no_index for what is none: CUPTI itself writes 4294967295.
constexpr std::uint32_t id_of(std::optional<std::int64_t> stored) {
  const bool is_one = stored && 0 <= *stored && *stored < no_index;
  return is_one ? static_cast<std::uint32_t>(*stored) : no_index;
}

}  // namespace lapscope::analyzer
