#pragma once

#include <cuda.h>
#include <cupti.h>

#include <cstdint>
#include <cstring>
#include <optional>

#include "collector/cupti/cupti_api.h"

namespace lapscope::callbacks {

// Returns the argument at position `word` of a call, from the struct that CUPTI passes. Requires
// that each argument before it takes 8 bytes in the struct.
template <class T>
T argument(const CUpti_CallbackData& call, std::uint8_t word) {
  T value{};
  std::memcpy(&value, static_cast<const char*>(call.functionParams) + word * sizeof(void*),
              sizeof value);
  return value;
}

// Returns CUPTI's id of a stream; nothing if CUPTI does not know the stream.
//
// The context of a stream may not be the current one, so CUPTI searches all contexts. A default
// stream has the same handle in every context, so CUPTI searches only the current context. CUPTI
// 130001 has no ids for the handles CU_STREAM_LEGACY and CU_STREAM_PER_THREAD. For these, CUPTI
// gets null as the handle.
inline std::optional<std::uint32_t> stream_id(CUstream stream, bool per_thread_default,
                                              CUcontext context, const cupti::CuptiApi& cupti) {
  if (!cupti.get_stream_id_ex) return std::nullopt;
  const bool is_default = !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
  const bool is_per_thread = stream ? stream == CU_STREAM_PER_THREAD : per_thread_default;
  std::uint32_t id = 0;
  const CUptiResult result =
      is_default ? cupti.get_stream_id_ex(context, nullptr, is_per_thread ? 1 : 0, &id)
                 : cupti.get_stream_id_ex(nullptr, stream, per_thread_default ? 1 : 0, &id);
  if (result != CUPTI_SUCCESS) return std::nullopt;
  return id;
}

}  // namespace lapscope::callbacks
