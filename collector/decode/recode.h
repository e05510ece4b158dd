#pragma once

#include <cstdint>
#include <optional>
#include <string>

// Converts CUPTI's codes to the codes of Nsight Systems exports.
namespace lapscope::decode {

// CUpti_ActivityMemoryKind -> ENUM_CUDA_MEM_KIND. CUPTI: 0 unknown, 1 pageable, ...; nsys:
// 0 pageable, ..., 7 unknown.
constexpr std::int64_t memory_kind(std::uint32_t cupti) {
  constexpr std::int64_t unknown = 7;
  return cupti >= 1 && cupti <= 7 ? std::int64_t{cupti} - 1 : unknown;
}

// CUpti_ActivityLaunchType -> ENUM_CUDA_KERNEL_LAUNCH_TYPE, in which 0 is unknown.
constexpr std::int64_t launch_type(std::uint8_t cupti) {
  return cupti <= 2 ? std::int64_t{cupti} + 1 : 0;
}

// CUpti_ActivityMemoryOperationType -> ENUM_CUDA_DEV_MEM_EVENT_OPER.
constexpr std::int64_t memory_operation(std::uint32_t cupti) { return std::int64_t{cupti} - 1; }

// CUpti_ActivityOverheadKind -> ENUM_CUPTI_OVERHEAD_TYPE. CUPTI has codes above 0xFFFF for its own
// overheads. For example, a buffer flush is 1 << 16 in CUPTI and 3 in nsys.
constexpr std::int64_t overhead_type(std::uint32_t cupti) {
  constexpr std::int64_t undefined = 0;
  if (cupti <= 1) return std::int64_t{cupti} + 1;
  const std::uint32_t high = cupti >> 16;
  return (cupti & 0xFFFF) == 0 && high >= 1 && high <= 8 ? std::int64_t{high} + 2 : undefined;
}

// Returns the id. Returns nothing for 0, because CUPTI's 0 means "none".
constexpr std::optional<std::int64_t> id_or_null(std::uint64_t id) {
  if (id == 0) return std::nullopt;
  return static_cast<std::int64_t>(id);
}

// Formats a UUID as nvidia-smi -L prints it: "GPU-3f2a5c1e-...".
inline std::string uuid_text(const std::uint8_t (&uuid)[16]) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "GPU-";
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits[uuid[i] >> 4];
    text += digits[uuid[i] & 15];
  }
  return text;
}

}  // namespace lapscope::decode
