#pragma once

#include <cstdint>

// Nsight Systems' serialized process and thread ids: hardware << 56 | vm << 48 | pid << 24 | tid.
namespace lapscope::schema {

constexpr std::int64_t global_pid(std::uint32_t pid) {
  return std::int64_t{1} << 48 | static_cast<std::int64_t>(pid & 0xFFFFFFU) << 24;
}

constexpr std::int64_t global_tid(std::uint32_t pid, std::uint32_t tid) {
  return global_pid(pid) | static_cast<std::int64_t>(tid & 0xFFFFFFU);
}

constexpr std::uint32_t pid_of(std::int64_t global_id) {
  return static_cast<std::uint32_t>(global_id >> 24) & 0xFFFFFFU;
}

constexpr std::uint32_t tid_of(std::int64_t global_id) {
  return static_cast<std::uint32_t>(global_id) & 0xFFFFFFU;
}

}  // namespace lapscope::schema
