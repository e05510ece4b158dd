#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lapscope::analyzer {

enum class OpKind : std::uint8_t { kernel, memcpy, peer_copy, memset };

// What an op occupies on the device.
enum class Engine : std::uint8_t {
  compute,     // kernels, memsets, anything on a compute channel
  h2d,         // copies from the host
  d2h,         // copies to the host
  other_copy,  // copies between devices, and within one on a copy channel
};

inline constexpr std::array all_engines = {Engine::compute, Engine::h2d, Engine::d2h,
                                           Engine::other_copy};

std::string_view name_of(Engine engine);

// What decides how many blocks of a kernel fit on a multiprocessor, and how many there are.
struct LaunchGeometry {
  std::int64_t blocks = 0;
  std::int64_t threads_per_block = 0;
  std::int64_t registers_per_thread = 0;
  std::int64_t shared_memory_per_block = 0;  // bytes, static and dynamic

  friend auto operator<=>(const LaunchGeometry&, const LaunchGeometry&) = default;
};

// The engine of a copy, from its ENUM_CUDA_MEMCPY_OPER and, where the trace has it, its
// ENUM_LAPSCOPE_CHANNEL_TYPE. The channel decides first: a small pageable H2D copy can run on a
// compute channel, and then competes with kernels, not with copies. Without a channel, a copy
// within the device counts as compute, where current GPUs run it.
Engine engine_of_copy(std::int64_t copy_kind, std::optional<std::int64_t> channel_type);

// The same for kernels (always compute) and memsets (compute unless on a copy channel).
Engine engine_of_memset(std::optional<std::int64_t> channel_type);

// From the same ENUM_CUDA_MEMCPY_OPER: peer_copy for a copy between devices, memcpy for any other.
OpKind kind_of_copy(std::int64_t copy_kind);

}  // namespace lapscope::analyzer
