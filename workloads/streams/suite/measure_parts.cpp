#include "workloads/streams/suite/measure_parts.h"

#include <algorithm>

#include "workloads/harness/buffers.h"
#include "workloads/harness/stamp_kernel.h"
#include "workloads/harness/timing.h"

namespace lapscope::workloads::streams {
namespace {

// One direction of the link: a tile in pinned memory, its like on the device, and a stream.
class Direction {
 public:
  Direction(const Shape& shape, cudaMemcpyKind kind)
      : host_(shape.tile_elements()),
        device_(shape.tile_elements()),
        stream_(StreamKind::non_blocking),
        bytes_(shape.tile_bytes()),
        kind_(kind) {}

  void copy() const {
    const bool in = kind_ == cudaMemcpyHostToDevice;
    check(cudaMemcpyAsync(in ? device_.data() : host_.data(), in ? host_.data() : device_.data(),
                          bytes_, kind_, stream_.get()),
          "copy a tile for the calibration");
  }

  double alone_us() const {
    return stream_us(stream_.get(), [this] { copy(); });
  }

  // Four copies, the middle two timed: while both directions are issued, they run all the time.
  void issue_timed() {
    copy();
    begin_.record(stream_.get());
    copy();
    copy();
    end_.record(stream_.get());
    copy();
  }

  double timed_us() const {
    check(cudaStreamSynchronize(stream_.get()), "wait for a calibration");
    return end_.us_since(begin_) / 2;
  }

 private:
  PinnedBuffer<std::uint32_t> host_;
  DeviceBuffer<std::uint32_t> device_;
  Stream stream_;
  Event begin_;
  Event end_;
  std::size_t bytes_;
  cudaMemcpyKind kind_;
};

}  // namespace

void measure_copies(PartTimes& parts, const Shape& shape) {
  Direction in(shape, cudaMemcpyHostToDevice);
  Direction out(shape, cudaMemcpyDeviceToHost);
  parts.h2d_us = in.alone_us();
  parts.d2h_us = out.alone_us();
  in.issue_timed();
  out.issue_timed();
  parts.h2d_both_us = in.timed_us();
  parts.d2h_both_us = out.timed_us();
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
    parts.launch_us = i == 0 ? launch : std::min(parts.launch_us, launch);
    parts.round_trip_us = i == 0 ? whole : std::min(parts.round_trip_us, whole);
  }
}

}  // namespace lapscope::workloads::streams
