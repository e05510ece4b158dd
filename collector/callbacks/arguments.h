#pragma once

#include <cuda.h>
#include <cupti.h>

#include <cstdint>
#include <cstring>
#include <optional>

#include "collector/cupti/cupti_api.h"

namespace lapscope::callbacks {

// An argument of a call. CUPTI hands them over as a struct, all of whose members up to those that
// are read here are 8 bytes long.
template <class T>
T argument(const CUpti_CallbackData& call, std::uint8_t word) {
  T value{};
  std::memcpy(&value, static_cast<const char*>(call.functionParams) + word * sizeof(void*),
              sizeof value);
  return value;
}

// CUPTI's id of a stream; nothing if CUPTI does not know it.
//
// Without a context CUPTI looks a stream up wherever it was made; the current context need not be
// the stream's. The default streams have handles in common, and are the current context's: for
// CU_STREAM_LEGACY and CU_STREAM_PER_THREAD themselves CUPTI 130001 has no id.
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
