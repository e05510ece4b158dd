#include "workloads/harness/calibration.h"

#include <algorithm>
#include <array>

#include "workloads/harness/cuda_check.h"
#include "workloads/harness/handles.h"

namespace lapscope::workloads {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Iterations over a tile of 16 MiB or more; smaller tiles take more, to last as long. Both probes
// are bound by arithmetic, not by memory, so that a line describes them.
constexpr std::uint32_t lead_iterations = 16;
constexpr std::uint32_t small_iterations = 64;
constexpr std::uint32_t large_iterations = 192;

constexpr std::size_t large_copy_bytes = 2 * mebibyte;
constexpr std::size_t small_copy_fraction = 8;

}  // namespace

LinearCost measure_kernel_cost(const AffineKernel& kernel, std::uint32_t* device,
                               std::size_t elements, std::span<std::uint64_t> cycles, int clock_khz,
                               cudaStream_t stream) {
  const std::size_t bytes = elements * sizeof(std::uint32_t);
  const auto scale = static_cast<std::uint32_t>(std::max<std::size_t>(1, 16 * mebibyte / bytes));
  const auto iterate = [&](std::uint32_t iterations, std::uint64_t* counted) {
    kernel.launch(device, elements, step, iterations * scale, stream, counted);
  };
  // The lead brings code and data into the caches.
  iterate(lead_iterations, nullptr);
  iterate(small_iterations, &cycles[0]);
  iterate(large_iterations, &cycles[1]);
  check(cudaStreamSynchronize(stream), "wait for the calibration");

  const double cycles_per_us = clock_khz / 1e3;
  const auto probe = [&](std::uint32_t iterations, std::uint64_t counted) {
    return Probe{1.0 * iterations * scale, static_cast<double>(counted) / cycles_per_us};
  };
  return fit_linear_cost(probe(small_iterations, cycles[0]), probe(large_iterations, cycles[1]));
}

LinearCost measure_copy_cost(std::uint32_t* device, const std::uint32_t* pinned,
                             std::size_t elements, cudaStream_t stream) {
  const std::size_t large = std::min(elements * sizeof(std::uint32_t), large_copy_bytes);
  const std::size_t small = large / small_copy_fraction;
  const auto copy = [&](std::size_t count) {
    check(cudaMemcpyAsync(device, pinned, count, cudaMemcpyHostToDevice, stream),
          "copy to the device");
  };
  // The lead keeps the stream busy until the probes are queued, so that the events do not time the
  // host.
  std::array<Event, 3> marks;
  copy(large);
  marks[0].record(stream);
  copy(small);
  marks[1].record(stream);
  copy(large);
  marks[2].record(stream);
  check(cudaStreamSynchronize(stream), "wait for the calibration");
  return fit_linear_cost({static_cast<double>(small), marks[1].us_since(marks[0])},
                         {static_cast<double>(large), marks[2].us_since(marks[1])});
}

}  // namespace lapscope::workloads
