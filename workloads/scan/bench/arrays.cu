#include <algorithm>
#include <array>
#include <limits>

#include "workloads/harness/device.h"
#include "workloads/harness/free_memory.h"
#include "workloads/scan/bench/arrays.h"

namespace lapscope::workloads::scan {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned max_blocks = 4096;
constexpr int wiped = 0xa5;
constexpr auto none = std::numeric_limits<unsigned long long>::max();

unsigned blocks_for(std::uint64_t n) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>(n / threads, 1, max_blocks));
}

void copy_and_wait(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copy a part of a result");
  check(cudaStreamSynchronize(stream), "wait for a part of a result");
}

}  // namespace

template <typename T>
__global__ void write_input(T* in, std::uint64_t n) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    in[i] = input_at<T>(i);
  }
}

template <typename T>
__global__ void check_result(const T* out, std::uint64_t n, Kind kind, unsigned long long* lowest) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    if (out[i] != expected_at<T>(out, i, kind)) atomicMin(lowest, i);
  }
}

DeviceArrays::DeviceArrays(Type type, std::uint64_t n, Placement placement)
    : type_(type),
      n_(n),
      placement_(placement),
      offset_(placement == Placement::misaligned ? bytes_of(type) : 0),
      in_(placement == Placement::in_place ? 0 : n * bytes_of(type) + offset_),
      out_(n * bytes_of(type) + offset_ + 2 * guard_bytes),
      lowest_(1) {}

std::uint64_t DeviceArrays::bytes_for(Type type, std::uint64_t n, Placement placement) {
  const std::uint64_t arrays = (placement == Placement::in_place ? 1 : 2) * n * bytes_of(type);
  return arrays + arrays / 64 + memory_of_cuda;
}

void DeviceArrays::fill(cudaStream_t stream) const {
  const std::size_t bytes = n_ * bytes_of(type_) + offset_ + 2 * guard_bytes;
  check(cudaMemsetAsync(out_.data(), wiped, bytes, stream), "wipe the output");
  if (n_ == 0) return;
  with_type(type_, [&]<typename T>(T) {
    write_input<T><<<blocks_for(n_), threads, 0, stream>>>(static_cast<T*>(in()), n_);
  });
  check(cudaGetLastError(), "launch the kernel write_input");
}

std::optional<std::uint64_t> DeviceArrays::first_wrong(Kind kind, cudaStream_t stream) const {
  if (n_ == 0) return std::nullopt;
  check(cudaMemsetAsync(lowest_.data(), 0xff, sizeof none, stream), "reset the check of a scan");
  with_type(type_, [&]<typename T>(T) {
    check_result<T><<<blocks_for(n_), threads, 0, stream>>>(static_cast<const T*>(out()), n_, kind,
                                                            lowest_.data());
  });
  check(cudaGetLastError(), "launch the kernel check_result");
  unsigned long long found = 0;
  copy_and_wait(&found, lowest_.data(), sizeof found, stream);
  if (found == none) return std::nullopt;
  return found;
}

bool DeviceArrays::guards_hold(cudaStream_t stream) const {
  std::array<std::byte, 2 * guard_bytes> guards{};
  const auto* const begin = static_cast<const std::byte*>(out());
  copy_and_wait(guards.data(), begin - guard_bytes, guard_bytes, stream);
  copy_and_wait(guards.data() + guard_bytes, begin + n_ * bytes_of(type_), guard_bytes, stream);
  return std::ranges::all_of(guards, [](std::byte b) { return b == std::byte{wiped}; });
}

}  // namespace lapscope::workloads::scan
