#include "workloads/streams/suite/measure_parts.h"

#include <algorithm>
#include <vector>

#include "workloads/harness/buffers.h"
#include "workloads/harness/report.h"
#include "workloads/harness/stamp_kernel.h"
#include "workloads/harness/timing.h"

namespace lapscope::workloads::streams {
namespace {

// The best of so many: a single one is now and then disturbed by something else on the machine.
constexpr int rounds = 2;

// One direction of the link: tiles in pinned memory, a tile on the device, and a stream. Different
// tiles, since a copy of the same one again and again would read and write the caches of the host.
class Direction {
 public:
  Direction(const Shape& shape, cudaMemcpyKind kind)
      : host_(calibration_tiles * shape.tile_elements()),
        device_(shape.tile_elements()),
        stream_(StreamKind::non_blocking),
        elements_(shape.tile_elements()),
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

  // All but the first and the last are timed: while both directions are issued, they run all the
  // time.
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

void keep_smaller(double& smallest, double us, int round) {
  smallest = round == 0 ? us : std::min(smallest, us);
}

}  // namespace

void measure_copies(PartTimes& parts, const Shape& shape,
                    const std::function<void()>& launch_kernel) {
  Direction in(shape, cudaMemcpyHostToDevice);
  Direction out(shape, cudaMemcpyDeviceToHost);
  for (int round = 0; round < rounds; ++round) {
    keep_smaller(parts.h2d_us, in.alone_us(), round);
    keep_smaller(parts.d2h_us, out.alone_us(), round);
  }
  // As often as a tile is copied: in a pipeline, too, there is a kernel for each.
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; launch_kernel && i < calibration_tiles; ++i) launch_kernel();
    in.issue_timed();
    out.issue_timed();
    const double in_us = in.timed_us();
    const double out_us = out.timed_us();
    check(cudaDeviceSynchronize(), "wait for a calibration");
    // Both from the same round: what one direction has less of the link, the other has more.
    if (round > 0 && std::max(in_us, out_us) > std::max(parts.h2d_both_us, parts.d2h_both_us)) {
      continue;
    }
    parts.h2d_both_us = in_us;
    parts.d2h_both_us = out_us;
  }
}

double warm_median(const std::function<double()>& once) {
  once();
  std::vector<double> all(5);
  for (double& each : all) each = once();
  return median(all);
}

void measure_round_trip(PartTimes& parts) {
  const StampKernel nothing;
  const PinnedBuffer<std::uint32_t> slot(1);
  const Stream stream(StreamKind::non_blocking);
  for (int i = 0; i < 3; ++i) {
    double launch = 0;
    const double whole = host_us([&] {
      launch = host_us(
          [&] { nothing.launch(slot.data(), 1, std::chrono::nanoseconds(0), stream.get()); });
      check(cudaStreamSynchronize(stream.get()), "wait for a calibration");
    });
    keep_smaller(parts.launch_us, launch, i);
    keep_smaller(parts.round_trip_us, whole, i);
  }
}

}  // namespace lapscope::workloads::streams
