#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace lapscope::workloads::scan {

// The type of the elements. Integers wrap around. Every kernel is compiled for each type.
enum class Type { u32, u64, f32 };

inline constexpr Type all_types[] = {Type::u32, Type::u64, Type::f32};

// The result at i is the sum of all inputs before i. An inclusive scan also adds input i.
enum class Kind { inclusive, exclusive };

std::string_view name_of(Type type);
std::string_view name_of(Kind kind);
Type parse_type(std::string_view name);  // Throws UsageError, which lists the names.
std::size_t bytes_of(Type type);         // The size of one element.

// Calls `use` with a value of the element type.
template <typename Use>
void with_type(Type type, Use use) {
  switch (type) {
    case Type::u32:
      return use(std::uint32_t{});
    case Type::u64:
      return use(std::uint64_t{});
    case Type::f32:
      return use(float{});
  }
}

// Mixes all bits of an index. This is the finalizer of MurmurHash3.
__host__ __device__ constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

// Returns the sum of all f32 inputs before `index`: 0 at index 0, below 2^22 elsewhere.
__host__ __device__ constexpr std::int32_t walk_at(std::uint64_t index) {
  return static_cast<std::int32_t>(mix(index) & 0x3fffff);
}

// Returns the input at `index`, on the host and on the device, so a check needs no copy of the
// input, even if the scan is in place.
//
// The f32 inputs are the steps of a walk between 0 and 2^22. A sum of consecutive inputs is the
// difference of two places: an integer below 2^22, which f32 represents exactly, whatever the order
// of the additions. So results are compared exactly.
template <typename T>
__host__ __device__ constexpr T input_at(std::uint64_t index) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(walk_at(index + 1) - walk_at(index));
  } else {
    return static_cast<T>(mix(index));
  }
}

// Returns what the result at `index` must be if the previous result is right. If every element has
// this value, all are right by induction, so elements can be checked in parallel.
template <typename T>
__host__ __device__ constexpr T expected_at(const T* out, std::uint64_t index, Kind kind) {
  const T last = index == 0 ? T{0} : out[index - 1];
  if (kind == Kind::inclusive) return last + input_at<T>(index);
  return index == 0 ? last : last + input_at<T>(index - 1);
}

// Writes the first `n` elements of the input to host memory.
void fill_host(Type type, void* in, std::uint64_t n);

// Checks `n` results in host memory. Returns the index of the first wrong result, if there is one.
std::optional<std::uint64_t> first_wrong_on_host(Type type, Kind kind, const void* out,
                                                 std::uint64_t n);

}  // namespace lapscope::workloads::scan
