#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "collector/callbacks/callback_events.h"
#include "collector/cupti/cupti_api.h"
#include "collector/decode/decode_context.h"
#include "collector/request/request.h"

namespace lapscope::decode {

// Turns one record of a kind, `size` bytes long, into rows.
using DecodeRecord = void (*)(const void* record, std::size_t size, DecodeContext& context);

// When a record's activity took place, by CUPTI's clock; 0 if it is not known.
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
  // Null for what is always kept, whatever interval is captured: what describes the machine and its
  // streams, and NVTX, whose ranges are two records.
  TimesOf times;
  ReleaseRecord release = nullptr;  // null for what owns nothing
};

// The activity kinds that lapscope can record, in the order in which they are enabled. A kind is
// added by a function, in a file with those that a reader wants to see beside it, and one line in
// kinds.cpp.
std::span<const Kind> recorded_kinds();

// Whether records of the kind describe the machine, or what the program has made on it. CUPTI
// delivers each of them once, when the thing was made.
bool is_of_target(CUpti_ActivityKind kind);

// Whether the kind is recorded unless the user says otherwise.
bool is_default(const Kind& kind);

// decode_launches.cpp
void decode_kernel(const void* record, std::size_t size, DecodeContext& context);
void decode_graph_trace(const void* record, std::size_t size, DecodeContext& context);

// decode_copies.cpp
void decode_memcpy(const void* record, std::size_t size, DecodeContext& context);
void decode_memcpy_peer(const void* record, std::size_t size, DecodeContext& context);
void decode_memset(const void* record, std::size_t size, DecodeContext& context);

// decode_calls.cpp
void decode_runtime_call(const void* record, std::size_t size, DecodeContext& context);
void decode_driver_call(const void* record, std::size_t size, DecodeContext& context);
void decode_external_correlation(const void* record, std::size_t size, DecodeContext& context);

// decode_synchronization.cpp
void decode_synchronization(const void* record, std::size_t size, DecodeContext& context);
void decode_cuda_event(const void* record, std::size_t size, DecodeContext& context);

// decode_target.cpp
void decode_device(const void* record, std::size_t size, DecodeContext& context);
void decode_context(const void* record, std::size_t size, DecodeContext& context);
void decode_stream(const void* record, std::size_t size, DecodeContext& context);

// decode_nvlink.cpp
void decode_nvlink(const void* record, std::size_t size, DecodeContext& context);
void release_nvlink(const void* record, std::size_t size);

// decode_memory.cpp
void decode_memory(const void* record, std::size_t size, DecodeContext& context);
void decode_memory_pool(const void* record, std::size_t size, DecodeContext& context);
void decode_unified_memory(const void* record, std::size_t size, DecodeContext& context);

// decode_overhead.cpp
void decode_overhead(const void* record, std::size_t size, DecodeContext& context);
void release_overhead(const void* record, std::size_t size);
void decode_compilation(const void* record, std::size_t size, DecodeContext& context);

// decode_marker.cpp
void decode_marker(const void* record, std::size_t size, DecodeContext& context);

// decode_synchronization.cpp: what callbacks report in place of CUPTI's records. Returns false as
// decode_event does.
bool write(const callbacks::Wait& wait, DecodeContext& context);
bool write(const callbacks::EventRecord& record, DecodeContext& context);

// The kind whose records a source replaces; nothing if there is none.
std::optional<CUpti_ActivityKind> kind_of(callbacks::Source source);

// How the events of a source are called in LAPSCOPE_RECORDS.
std::string_view name_of(callbacks::Source source);

// Turns what one callback reported into a row. Returns false if it lies outside the captured
// interval.
bool decode_event(const callbacks::Event& event, DecodeContext& context);

// How many records a buffer of CUPTI's holds, `valid` bytes of which CUPTI has filled.
std::int64_t count_records(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti);

// The same, and frees what the records own: for a buffer that will not be decoded, or from which
// only TargetRecords have been taken.
enum class Discarded : std::uint8_t { all, but_targets };
std::int64_t discard(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti,
                     Discarded which = Discarded::all);

}  // namespace lapscope::decode
