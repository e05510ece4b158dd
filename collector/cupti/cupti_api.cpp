#include "collector/cupti/cupti_api.h"

#include <array>
#include <cstring>

namespace lapscope::cupti {

std::string result_name(const CuptiApi& api, CUptiResult result) {
  const char* name = nullptr;
  if (api.get_result_string && api.get_result_string(result, &name) == CUPTI_SUCCESS && name) {
    return name;
  }
  return "CUPTI error " + std::to_string(static_cast<int>(result));
}

std::size_t probe_record_size(const CuptiApi& api, CUpti_ActivityKind kind) {
  // Wherever the second record begins, a record of the same kind must be found: the kind's number
  // on every eighth byte, since records are 8-aligned.
  alignas(8) std::array<std::uint8_t, 1024> buffer{};
  for (std::size_t offset = 0; offset < buffer.size(); offset += 8) {
    const auto value = static_cast<std::uint32_t>(kind);
    std::memcpy(buffer.data() + offset, &value, sizeof value);
  }
  CUpti_Activity* record = nullptr;
  if (api.activity_get_next_record(buffer.data(), buffer.size(), &record) != CUPTI_SUCCESS)
    return 0;
  const auto* first = reinterpret_cast<const std::uint8_t*>(record);
  if (api.activity_get_next_record(buffer.data(), buffer.size(), &record) != CUPTI_SUCCESS)
    return 0;
  return static_cast<std::size_t>(reinterpret_cast<const std::uint8_t*>(record) - first);
}

}  // namespace lapscope::cupti
