#include "workloads/streams/suite/chain_work.h"

#include <string>

#include "workloads/harness/affine.h"
#include "workloads/harness/calibration.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/streams/suite/tile_store.h"

namespace lapscope::workloads::streams {
namespace {

// These iterations take about 30 and 120 us on an H200, long enough to be measured with events.
constexpr std::uint32_t small_iterations = 2048;
constexpr std::uint32_t large_iterations = 8192;

}  // namespace

ChainWork::ChainWork(std::size_t regions, std::size_t elements)
    : elements_(elements), data_(regions * elements), applied_(regions) {
  std::vector<std::uint32_t> pattern(regions * elements);
  fill_pattern(pattern);
  check(cudaMemcpy(data_.data(), pattern.data(), pattern.size() * sizeof(std::uint32_t),
                   cudaMemcpyHostToDevice),
        "copy the pattern to the device");
}

std::uint32_t ChainWork::iterations_for(double us, const Grid& grid, std::size_t elements,
                                        cudaStream_t stream) {
  const auto probe = [&](std::uint32_t iterations) {
    const double took = stream_us(
        stream, [&] { kernel_.launch(data(0), elements, step, iterations, grid, stream); });
    // Doubled, because stream_us issues the work twice.
    note(0, elements / elements_, step, std::uint64_t{2} * iterations);
    return Probe{static_cast<double>(iterations), took};
  };
  const Probe small = probe(small_iterations);
  return fit_linear_cost(small, probe(large_iterations)).units_for(us);
}

void ChainWork::launch(std::size_t region, std::size_t count, AffineMap map,
                       std::uint32_t iterations, const Grid& grid, cudaStream_t stream) {
  kernel_.launch(data(region), count * elements_, map, iterations, grid, stream);
  note(region, count, map, iterations);
}

void ChainWork::note(std::size_t region, std::size_t count, AffineMap map, std::uint64_t times) {
  const AffineMap all = power(map, times);
  for (std::size_t i = region; i < region + count; ++i) applied_[i] = compose(all, applied_[i]);
}

void ChainWork::verify() const {
  std::vector<std::uint32_t> found(applied_.size() * elements_);
  check(cudaMemcpy(found.data(), data_.data(), found.size() * sizeof(std::uint32_t),
                   cudaMemcpyDeviceToHost),
        "copy the result to the host");
  for (std::size_t region = 0; region < applied_.size(); ++region) {
    require_pattern({found.data() + region * elements_, elements_}, region * elements_,
                    applied_[region], "region " + std::to_string(region));
  }
}

}  // namespace lapscope::workloads::streams
