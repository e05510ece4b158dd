#include "workloads/harness/copy_times.h"

#include <algorithm>
#include <cstdint>

#include "workloads/harness/buffers.h"
#include "workloads/harness/timing.h"

namespace lapscope::workloads {
namespace {

// The best of so many: a single one is now and then disturbed by something else on the machine.
constexpr int rounds = 2;

// One direction of the link: tiles in pinned memory, a tile on the device, and a stream. Different
// tiles, since a copy of the same one again and again would read and write the caches of the host.
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

}  // namespace

CopyTimes measure_copies(std::size_t elements, const std::function<void()>& launch_kernel) {
  Direction in(elements, cudaMemcpyHostToDevice);
  Direction out(elements, cudaMemcpyDeviceToHost);
  CopyTimes times{.h2d_us = in.alone_us(), .d2h_us = out.alone_us()};
  for (int round = 1; round < rounds; ++round) {
    times.h2d_us = std::min(times.h2d_us, in.alone_us());
    times.d2h_us = std::min(times.d2h_us, out.alone_us());
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
    if (round > 0 && std::max(in_us, out_us) > std::max(times.h2d_both_us, times.d2h_both_us)) {
      continue;
    }
    times.h2d_both_us = in_us;
    times.d2h_both_us = out_us;
  }
  return times;
}

}  // namespace lapscope::workloads
