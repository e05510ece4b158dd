#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "collector/callbacks/callback_events.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/decode_context.h"
#include "collector/request/request.h"

namespace lapscope::decode {

namespace records = cupti::records;
template <class Record>
using View = cupti::RecordView<Record>;

// Writes the rows of one record of `size` bytes. Most of the decoders below take a view of the
// record instead. kinds.cpp makes this view.
using DecodeRecord = void (*)(const void* record, std::size_t size, DecodeContext& context);

// Start and end of a record's activity, by CUPTI's clock; 0 if unknown.
struct Times {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};
using TimesOf = Times (*)(const void* record, std::size_t size);

// Frees memory that a record owns. A CUPTI client must call it for every record that it takes from
// a buffer, even for records that it does not decode.
using ReleaseRecord = void (*)(const void* record, std::size_t size);

struct Kind {
  CUpti_ActivityKind id;
  std::string_view name;
  DecodeRecord decode;
  request::Group group;  // the option that enables the kind
  // Null if the times of the records are not compared with the captured interval:
  // - kinds that describe the machine and its streams,
  // - NVTX, because the start and the end of an NVTX range are in two records.
  TimesOf times;
  ReleaseRecord release = nullptr;  // null if the records own no memory
};

// Returns the activity kinds that lapscope can record, in the order in which they are enabled. A
// new kind needs a DecodeRecord function and a line in kinds.cpp.
std::span<const Kind> recorded_kinds();

// Returns whether the kind describes devices, links, contexts or streams. CUPTI delivers each of
// these records once, when the object is made.
bool is_of_target(CUpti_ActivityKind kind);

bool is_default(const Kind& kind);

// decode_ops.cpp
void decode_kernel(const View<records::Kernel>& kernel, DecodeContext& context);
void decode_graph_trace(const View<records::GraphTrace>& graph, DecodeContext& context);
void decode_memcpy(const View<records::Memcpy>& copy, DecodeContext& context);
void decode_memcpy_peer(const View<records::MemcpyPeer>& copy, DecodeContext& context);
void decode_memset(const View<records::Memset>& memset, DecodeContext& context);

// Defined in decode_calls.cpp.
void decode_runtime_call(const View<records::Api>& call, DecodeContext& context);
void decode_driver_call(const View<records::Api>& call, DecodeContext& context);
void decode_synchronization(const View<records::Synchronization>& sync, DecodeContext& context);
void decode_cuda_event(const View<records::CudaEvent>& event, DecodeContext& context);

// target_records.cpp
void decode_device(const View<records::Device>& device, DecodeContext& context);
void decode_context(const View<records::Context>& cuda_context, DecodeContext& context);
void decode_stream(const View<records::Stream>& stream, DecodeContext& context);
void decode_nvlink(const void* record, std::size_t size, DecodeContext& context);
void release_nvlink(const void* record, std::size_t size);

// Defined in decode_memory.cpp.
void decode_memory(const View<records::Memory>& memory, DecodeContext& context);
void decode_memory_pool(const View<records::MemoryPool>& pool, DecodeContext& context);
void decode_unified_memory(const View<records::UnifiedMemoryCounter>& counter,
                           DecodeContext& context);

// Defined in decode_overhead.cpp.
void decode_overhead(const View<records::Overhead>& overhead, DecodeContext& context);
void release_overhead(const void* record, std::size_t size);
void decode_compilation(const View<records::Jit>& jit, DecodeContext& context);

// nvtx_ranges.cpp
void decode_marker(const View<records::Marker>& marker, DecodeContext& context);

// Write the rows of callback events, in place of the rows of CUPTI's SYNCHRONIZATION and CUDA_EVENT
// records. Return false if the event is outside the captured interval. Defined in decode_calls.cpp.
bool write(const callbacks::Wait& wait, DecodeContext& context);
bool write(const callbacks::EventRecord& record, DecodeContext& context);

// Returns the activity kind that a source of callbacks replaces; nothing if there is none.
std::optional<CUpti_ActivityKind> kind_of(callbacks::Source source);

// Returns the name of a source's events in LAPSCOPE_RECORDS.
std::string_view name_of(callbacks::Source source);

// Writes the row of one event of a callback. Returns false if the event is outside the captured
// interval.
bool decode_event(const callbacks::Event& event, DecodeContext& context);

// Returns the number of records in the first `valid` bytes of a buffer, the part that CUPTI has
// filled.
std::int64_t count_records(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti);

// discard() frees the memory that the records of a buffer own, and returns the number of records.
// Call it for a buffer that is not decoded. With `but_targets`, it does not free the memory of
// records that TargetRecords has taken.
enum class Discarded : std::uint8_t { all, but_targets };
std::int64_t discard(std::uint8_t* buffer, std::size_t valid, const cupti::CuptiApi& cupti,
                     Discarded which = Discarded::all);

}  // namespace lapscope::decode
