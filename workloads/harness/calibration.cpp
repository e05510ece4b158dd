#include "workloads/harness/calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "workloads/harness/device.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/timed_kernels.h"

namespace lapscope::workloads {

std::uint32_t LinearCost::units_for(double us) const {
  constexpr double max = std::numeric_limits<std::uint32_t>::max();
  const double units = std::round((us - fixed_us) / us_per_unit);
  return static_cast<std::uint32_t>(std::clamp(units, 1.0, max));
}

LinearCost fit_linear_cost(Probe small, Probe large) {
  if (!(large.us > 0) || !(large.units > small.units)) {
    throw std::runtime_error("could not calibrate: a timed operation took no time");
  }
  const double slope = (large.us - small.us) / (large.units - small.units);
  if (!(slope > 0)) return {0, large.us / large.units};
  return {large.us - slope * large.units, slope};
}

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// The numbers of iterations for a tile of 16 MiB or more. A smaller tile gets more iterations, so
// that its probes take the same time. The small and the large probe are both bound by arithmetic,
// not by memory. Their times are therefore linear in the number of iterations.
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
  // The first launch is not measured. It brings code and data into the caches.
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
  // The first copy keeps the stream busy until the next copies are issued. The events therefore
  // measure only the device and no delays of the host.
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

namespace {

// Takes the best of this many rounds, because other programs may disturb a round.
constexpr int rounds = 2;

// Copies tiles in one direction of the link. There are several host tiles, because repeated copies
// of the same tile would use the host's caches.
class Direction {
 public:
  Direction(std::size_t elements, cudaMemcpyKind kind)
      : host_(calibration_tiles * elements),
        device_(elements),
        stream_(StreamKind::non_blocking),
        elements_(elements),
        kind_(kind) {}

  void copy() {
    const bool in = kind_ == cudaMemcpyHostToDevice;
    std::uint32_t* const tile = host_.data() + next_ * elements_;
    check(cudaMemcpyAsync(in ? device_.data() : tile, in ? tile : device_.data(),
                          elements_ * sizeof(std::uint32_t), kind_, stream_.get()),
          "copy a tile for the calibration");
    next_ = (next_ + 1) % calibration_tiles;
  }

  double alone_us() {
    return stream_us(stream_.get(), [this] { copy(); });
  }

  // Measures all copies except the first and the last. If the caller also issues the other
  // direction's copies, both directions are in use during the measured copies.
  void issue_timed() {
    copy();
    begin_.record(stream_.get());
    for (std::size_t i = 2; i < calibration_tiles; ++i) copy();
    end_.record(stream_.get());
    copy();
  }

  double timed_us() const {
    check(cudaStreamSynchronize(stream_.get()), "wait for a calibration");
    return end_.us_since(begin_) / (calibration_tiles - 2);
  }

 private:
  PinnedBuffer<std::uint32_t> host_;
  DeviceBuffer<std::uint32_t> device_;
  Stream stream_;
  Event begin_;
  Event end_;
  std::size_t elements_;
  std::size_t next_ = 0;
  cudaMemcpyKind kind_;
};

}  // namespace

CopyTimes measure_copies(std::size_t elements, const std::function<void()>& launch_kernel) {
  Direction in(elements, cudaMemcpyHostToDevice);
  Direction out(elements, cudaMemcpyDeviceToHost);
  CopyTimes times{.h2d_us = in.alone_us(), .d2h_us = out.alone_us()};
  for (int round = 1; round < rounds; ++round) {
    times.h2d_us = std::min(times.h2d_us, in.alone_us());
    times.d2h_us = std::min(times.d2h_us, out.alone_us());
  }
  // Launches one kernel for each tile that is copied, as a pipeline does.
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; launch_kernel && i < calibration_tiles; ++i) launch_kernel();
    in.issue_timed();
    out.issue_timed();
    const double in_us = in.timed_us();
    const double out_us = out.timed_us();
    check(cudaDeviceSynchronize(), "wait for a calibration");
    // Both times must come from one round. If one direction is slow, the other direction gets more
    // of the link, so times of different rounds do not fit together.
    if (round > 0 && std::max(in_us, out_us) > std::max(times.h2d_both_us, times.d2h_both_us)) {
      continue;
    }
    times.h2d_both_us = in_us;
    times.d2h_both_us = out_us;
  }
  return times;
}

}  // namespace lapscope::workloads
