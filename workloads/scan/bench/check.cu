#include <algorithm>
#include <limits>
#include <vector>

#include "workloads/harness/cuda_check.h"
#include "workloads/scan/bench/check.h"
#include "workloads/scan/problem/problems.h"

namespace lapscope::workloads::scan {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned max_blocks = 4096;
constexpr auto nothing_wrong = std::numeric_limits<unsigned long long>::max();
constexpr std::uint64_t few = 1 << 16;
constexpr std::uint64_t part_bytes = 64 << 20;

unsigned blocks_for(std::uint64_t n) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>(n / threads, 1, max_blocks));
}

}  // namespace

template <typename P>
__global__ void write_input(typename P::In* in, std::uint64_t n, Fill fill) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    in[i] = input_at<P>(i, fill);
  }
}

template <typename P>
__global__ void check_result(const typename P::Acc* out, std::uint64_t n, Fill fill, bool exclusive,
                             unsigned long long* lowest) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    if (out[i] != follows<P>(out, i, fill, exclusive)) atomicMin(lowest, i);
  }
}

void fill_device(Combination combination, Fill fill, void* in, std::uint64_t n,
                 cudaStream_t stream) {
  if (n == 0) return;
  with_problem(AllProblems{}, combination, [&]<typename P>(P) {
    write_input<P>
        <<<blocks_for(n), threads, 0, stream>>>(static_cast<typename P::In*>(in), n, fill);
    check(cudaGetLastError(), "launch the kernel write_input");
  });
}

DeviceCheck::DeviceCheck() : lowest_(1) {
  check(cudaMemset(lowest_.data(), 0xff, sizeof nothing_wrong), "reset the check of a scan");
}

void DeviceCheck::add(const Expectation& expectation, const void* out, std::uint64_t n,
                      cudaStream_t stream) {
  if (n == 0) return;
  with_problem(AllProblems{}, expectation.combination, [&]<typename P>(P) {
    check_result<P><<<blocks_for(n), threads, 0, stream>>>(
        static_cast<const typename P::Acc*>(out), n, expectation.fill,
        expectation.kind == Kind::exclusive, lowest_.data());
    check(cudaGetLastError(), "launch the kernel check_result");
  });
}

std::optional<std::uint64_t> DeviceCheck::first_wrong(cudaStream_t stream) {
  unsigned long long found = 0;
  check(cudaMemcpyAsync(&found, lowest_.data(), sizeof found, cudaMemcpyDeviceToHost, stream),
        "copy the answer of a check");
  check(cudaMemsetAsync(lowest_.data(), 0xff, sizeof found, stream), "reset the check of a scan");
  check(cudaStreamSynchronize(stream), "wait for the check of a scan");
  if (found == nothing_wrong) return std::nullopt;
  return found;
}

std::optional<std::uint64_t> find_wrong(const Expectation& expectation, const void* out,
                                        std::uint64_t n, cudaStream_t stream) {
  if (n > few && is_exact(expectation, n)) {
    DeviceCheck device_check;
    device_check.add(expectation, out, n, stream);
    return device_check.first_wrong(stream);
  }
  const Comparison compare = compare_with_reference(expectation);
  const std::size_t element = output_bytes(expectation.combination.type);
  std::vector<std::byte> part(std::min(n * element, part_bytes));
  for (std::uint64_t done = 0; done < n * element; done += part.size()) {
    const std::uint64_t bytes = std::min<std::uint64_t>(part.size(), n * element - done);
    check(cudaMemcpyAsync(part.data(), static_cast<const std::byte*>(out) + done, bytes,
                          cudaMemcpyDeviceToHost, stream),
          "copy a result to the host");
    check(cudaStreamSynchronize(stream), "wait for a result");
    if (const auto wrong = compare(part.data(), bytes / element)) return wrong;
  }
  return std::nullopt;
}

}  // namespace lapscope::workloads::scan
