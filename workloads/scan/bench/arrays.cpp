#include "workloads/scan/bench/arrays.h"

#include <algorithm>
#include <array>
#include <ranges>

#include "workloads/harness/cuda_check.h"

namespace lapscope::workloads::scan {
namespace {

constexpr std::size_t guard_bytes = 256;
constexpr int guard_value = 0xa5;

}  // namespace

DeviceArrays::DeviceArrays(Combination combination, std::uint64_t n, Placement placement)
    : in_place_(placement == Placement::in_place),
      in_offset_(placement == Placement::misaligned ? input_bytes(combination.type) : 0),
      out_offset_(guard_bytes +
                  (placement == Placement::misaligned ? output_bytes(combination.type) : 0)),
      out_bytes_(in_place_ ? 0 : n * output_bytes(combination.type)),
      in_(in_offset_ + n * input_bytes(combination.type)),
      out_(out_offset_ + out_bytes_ + guard_bytes) {}

void DeviceArrays::wipe(cudaStream_t stream) const {
  check(cudaMemsetAsync(out_.data(), guard_value, out_offset_ + out_bytes_ + guard_bytes, stream),
        "wipe the output");
}

bool DeviceArrays::guards_hold(cudaStream_t stream) const {
  std::array<std::byte, 2 * guard_bytes> guards{};
  check(cudaMemcpyAsync(guards.data(), out_.data() + out_offset_ - guard_bytes, guard_bytes,
                        cudaMemcpyDeviceToHost, stream),
        "copy a guard to the host");
  check(cudaMemcpyAsync(guards.data() + guard_bytes, out_.data() + out_offset_ + out_bytes_,
                        guard_bytes, cudaMemcpyDeviceToHost, stream),
        "copy a guard to the host");
  check(cudaStreamSynchronize(stream), "wait for the guards");
  return std::ranges::all_of(guards, [](std::byte b) { return b == std::byte{guard_value}; });
}

}  // namespace lapscope::workloads::scan
