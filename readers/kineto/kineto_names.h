#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// What Kineto says by names, in the codes of a trace. Names change between its releases.
namespace lapscope::kineto {

enum class Category : std::uint8_t {
  unknown,
  kernel,
  copy,
  memset,
  runtime_call,
  driver_call,
  foreign_call,  // of another API than CUDA
  annotation,
  op,  // of PyTorch, on the host
  python,
  overhead,
  sync,
  event_record,
};

// `name` is the name of the event: up to 2021 annotations had the category of operators.
Category category_of(std::string_view category, std::string_view name);

struct CopyKinds {
  std::int64_t copy = 0;               // ENUM_CUDA_MEMCPY_OPER
  std::optional<std::int64_t> source;  // ENUM_CUDA_MEM_KIND
  std::optional<std::int64_t> target;
};
// "Memcpy HtoD (Pageable -> Device)"
CopyKinds copy_kinds(std::string_view name);

// ENUM_CUDA_MEM_KIND of "Memset (Device)".
std::optional<std::int64_t> memset_kind(std::string_view name);

std::int64_t sync_type(std::string_view name);      // ENUM_CUPTI_SYNC_TYPE
std::int64_t overhead_type(std::string_view name);  // ENUM_CUPTI_OVERHEAD_TYPE

// The stream of "stream 7", as tracks were called up to 2021.
std::optional<std::int64_t> stream_of_track(std::string_view track);

// Blocks that a multiprocessor holds at once, by compute capability: the one limit that Kineto does
// not write. From "Technical Specifications per Compute Capability" of the CUDA programming guide.
std::optional<std::int64_t> blocks_per_multiprocessor(std::int64_t major, std::int64_t minor);

}  // namespace lapscope::kineto
