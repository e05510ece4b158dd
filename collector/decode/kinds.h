#pragma once

#include <cupti.h>

#include <cstddef>
#include <span>
#include <string_view>

#include "collector/decode/decode_context.h"
#include "collector/request/request.h"

namespace lapscope::decode {

// Turns one record of a kind, `size` bytes long, into rows.
using DecodeRecord = void (*)(const void* record, std::size_t size, DecodeContext& context);

// When a record's activity took place, by CUPTI's clock; 0 when that is not told.
struct Times {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};
using TimesOf = Times (*)(const void* record, std::size_t size);

// Frees memory that a record owns. CUPTI hands it over: whoever takes the record out of its buffer
// has to, whether or not it is decoded.
using ReleaseRecord = void (*)(const void* record, std::size_t size);

struct Kind {
  CUpti_ActivityKind id;
  std::string_view name;
  DecodeRecord decode;
  request::Group group;  // that it is recorded with
  // Null for what is always kept, whatever stretch of time is captured: what describes the machine
  // and its streams, and NVTX, whose ranges are two records.
  TimesOf times;
  ReleaseRecord release = nullptr;  // null for what owns nothing
};

// The activity kinds that lapscope can record, in the order in which they are enabled. A kind is
// added by a file of its own and one line in kinds.cpp.
std::span<const Kind> recorded_kinds();

// Whether the kind is recorded unless the user says otherwise.
bool is_default(const Kind& kind);

// One function a file; see there.
void decode_kernel(const void* record, std::size_t size, DecodeContext& context);
void decode_memcpy(const void* record, std::size_t size, DecodeContext& context);
void decode_memcpy_peer(const void* record, std::size_t size, DecodeContext& context);
void decode_memset(const void* record, std::size_t size, DecodeContext& context);
void decode_runtime_call(const void* record, std::size_t size, DecodeContext& context);
void decode_driver_call(const void* record, std::size_t size, DecodeContext& context);
void decode_synchronization(const void* record, std::size_t size, DecodeContext& context);
void decode_cuda_event(const void* record, std::size_t size, DecodeContext& context);
void decode_stream(const void* record, std::size_t size, DecodeContext& context);
void decode_context(const void* record, std::size_t size, DecodeContext& context);
void decode_device(const void* record, std::size_t size, DecodeContext& context);
void decode_nvlink(const void* record, std::size_t size, DecodeContext& context);
void release_nvlink(const void* record, std::size_t size);
void decode_memory(const void* record, std::size_t size, DecodeContext& context);
void decode_memory_pool(const void* record, std::size_t size, DecodeContext& context);
void decode_unified_memory(const void* record, std::size_t size, DecodeContext& context);
void decode_graph_trace(const void* record, std::size_t size, DecodeContext& context);
void decode_compilation(const void* record, std::size_t size, DecodeContext& context);
void decode_external_correlation(const void* record, std::size_t size, DecodeContext& context);
void decode_overhead(const void* record, std::size_t size, DecodeContext& context);
void release_overhead(const void* record, std::size_t size);
void decode_marker(const void* record, std::size_t size, DecodeContext& context);

}  // namespace lapscope::decode
