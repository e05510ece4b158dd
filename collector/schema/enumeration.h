#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// ENUM_* tables: the codes in a trace and their names. The codes are those of Nsight Systems. CUPTI
// has other codes for memory kinds, launch types and overhead kinds; the decoder converts them.
namespace lapscope::schema {

// The codes that lapscope writes or distinguishes in more than one place.
namespace codes {

// ENUM_NSYS_EVENT_TYPE
inline constexpr std::int64_t nvtx_mark = 34;
inline constexpr std::int64_t push_pop_range = 59;
inline constexpr std::int64_t start_end_range = 60;
inline constexpr std::int64_t nvtx_domain = 75;
// ENUM_NSYS_EVENT_CLASS
inline constexpr std::int64_t runtime_call = 0;
inline constexpr std::int64_t driver_call = 1;
inline constexpr std::int64_t overhead = 103;
// ENUM_CUDA_MEM_KIND
inline constexpr std::int64_t managed = 4;
// ENUM_CUDA_MEMCPY_OPER
inline constexpr std::int64_t migration_to_device = 11;
inline constexpr std::int64_t migration_to_host = 12;
inline constexpr std::int64_t migration_between_devices = 13;
// ENUM_LAPSCOPE_CHANNEL_TYPE
inline constexpr std::int64_t compute_channel = 1;
inline constexpr std::int64_t copy_channel = 2;
// ENUM_LAPSCOPE_GRAPH_NODE_TYPE
inline constexpr std::int64_t kernel_node = 0;
inline constexpr std::int64_t memset_node = 2;
inline constexpr std::int64_t host_node = 3;
inline constexpr std::int64_t empty_node = 5;

}  // namespace codes

struct Enumerator {
  std::int64_t id;
  std::string_view name;
  std::string_view label;
};

struct Enumeration {
  std::string_view table;
  std::span<const Enumerator> values;

  bool has(std::int64_t id) const {
    for (const Enumerator& value : values) {
      if (value.id == id) return true;
    }
    return false;
  }
};

std::span<const Enumeration> enumerations();

// Returns the enumeration of a table. An unknown table has no values.
Enumeration enumeration(std::string_view table);

}  // namespace lapscope::schema
