#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/model/ops.h"

// Columns of ops from columns of their rows, which a file may lack.
namespace lapscope::analyzer {

// The hardware channel, if it is one that ops queue in.
constexpr std::uint16_t channel_of(std::optional<std::int64_t> id,
                                   std::optional<std::int64_t> type) {
  constexpr std::int64_t compute = 1;     // ENUM_LAPSCOPE_CHANNEL_TYPE
  constexpr std::int64_t async_copy = 2;  // ENUM_LAPSCOPE_CHANNEL_TYPE
  if (type != compute && type != async_copy) return no_channel;
  const bool fits = id && 0 <= *id && *id < no_channel;
  return fits ? static_cast<std::uint16_t>(*id) : no_channel;
}

// The MemoryFlags of a copy.
constexpr int copy_flags(std::optional<std::int64_t> source_kind,
                         std::optional<std::int64_t> target_kind,
                         std::optional<std::int64_t> flags) {
  constexpr std::int64_t pageable = 0;  // ENUM_CUDA_MEM_KIND
  return (source_kind == pageable ? source_pageable : 0) |
         (target_kind == pageable ? target_pageable : 0) |
         ((flags.value_or(0) & 1) != 0 ? asynchronous : 0);
}

// The device that a copy between devices writes to.
constexpr std::uint8_t target_of(OpKind kind, std::optional<std::int64_t> device) {
  const bool fits = kind == OpKind::peer_copy && device && 0 <= *device && *device < no_device;
  return fits ? static_cast<std::uint8_t>(*device) : no_device;
}

}  // namespace lapscope::analyzer
