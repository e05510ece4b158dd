#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// Converts names in Kineto's files to the enum codes of a trace. The names differ between releases.
namespace lapscope::kineto {

enum class Category : std::uint8_t {
  unknown,
  kernel,
  copy,
  memset,
  runtime_call,
  driver_call,
  foreign_call,  // of an API other than CUDA
  annotation,
  op,  // PyTorch operator on the host
  python,
  overhead,
  sync,
  event_record,
};

// Until 2021, annotations have the category of operators. Only the event's name distinguishes them.
Category category_of(std::string_view category, std::string_view name);

struct CopyKinds {
  std::int64_t copy = 0;               // ENUM_CUDA_MEMCPY_OPER
  std::optional<std::int64_t> source;  // ENUM_CUDA_MEM_KIND
  std::optional<std::int64_t> target;
};
// Parses names such as "Memcpy HtoD (Pageable -> Device)".
CopyKinds copy_kinds(std::string_view name);

// Parses names such as "Memset (Device)". Returns a value of ENUM_CUDA_MEM_KIND.
std::optional<std::int64_t> memset_kind(std::string_view name);

std::int64_t sync_type(std::string_view name);      // ENUM_CUPTI_SYNC_TYPE
std::int64_t overhead_type(std::string_view name);  // ENUM_CUPTI_OVERHEAD_TYPE

// Returns 7 for "stream 7", the form of track names until 2021.
std::optional<std::int64_t> stream_of_track(std::string_view track);

// Returns the maximum number of resident blocks per multiprocessor for a compute capability. Kineto
// writes all limits except this one. Source: "Technical Specifications per Compute Capability" in
// the CUDA programming guide.
std::optional<std::int64_t> blocks_per_multiprocessor(std::int64_t major, std::int64_t minor);

}  // namespace lapscope::kineto
