// The classic example of cudaStreamWaitEvent. One stream copies new input in. Another stream copies
// the previous result out at the same time. The kernel waits for both copies. In a loop:
//
//   stream 1  copy in 1             copy in 2
//   stream 2  copy out 0  kernel 1  copy out 1  kernel 2

#include <algorithm>
#include <array>

#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/tile_pipeline.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/measure_parts.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"
#include "workloads/streams/suite/tile_store.h"

namespace lapscope::workloads::streams {
namespace {

class TwoCopyEngines : public Workload {
 public:
  explicit TwoCopyEngines(const Setting& setting)
      : shape_(setting.shape),
        wait_first_(setting.broken()),
        kernel_(setting),
        store_(shape_),
        schedule_(schedule_tiles(static_cast<std::size_t>(shape_.tiles), 2, store_.elements())) {}

  PartTimes calibrate() override {
    PartTimes parts;
    measure_copies(parts, shape_);
    parts.kernel_us = kernel_.calibrate(buffers_[0].data(), main_.get());
    return parts;
  }

  void run() override {
    for (const Tile& tile : schedule_) {
      const NvtxRange range(tile.label.c_str());
      copy_in(tile);
      // The planted cause: this wait delays the copy out, which does not depend on the copy in.
      if (wait_first_) PLANTED("two-copy-engines", loaded_.hold(main_.get()));
      if (tile.index > 0) copy_out(schedule_[tile.index - 1]);
      if (!wait_first_) loaded_.hold(main_.get());
      kernel_.launch(buffer_of(tile), main_.get());
      free_.record(main_.get());
    }
    copy_out(schedule_.back());
    check(cudaDeviceSynchronize(), "wait for the device");
  }

  void verify() override { store_.verify(kernel_.map()); }
  void clear() override { store_.clear(); }

 private:
  std::uint32_t* buffer_of(const Tile& tile) const { return buffers_[tile.stream].data(); }

  // The copy of tile i overwrites the result of tile i - 2. This result was copied to the host
  // before kernel i - 1, in the same stream. The event `free_` is recorded after kernel i - 1.
  void copy_in(const Tile& tile) {
    if (tile.index > 0) free_.hold(input_.get());
    check(cudaMemcpyAsync(buffer_of(tile), store_.input(tile.index), store_.bytes(),
                          cudaMemcpyHostToDevice, input_.get()),
          "copy a tile to the device");
    loaded_.record(input_.get());
  }

  void copy_out(const Tile& tile) const {
    check(cudaMemcpyAsync(store_.output(tile.index), buffer_of(tile), store_.bytes(),
                          cudaMemcpyDeviceToHost, main_.get()),
          "copy a tile to the host");
  }

  Shape shape_;
  bool wait_first_;
  TileKernel kernel_;
  TileStore store_;
  std::vector<Tile> schedule_;
  std::array<DeviceBuffer<std::uint32_t>, 2> buffers_{
      DeviceBuffer<std::uint32_t>(store_.elements()),
      DeviceBuffer<std::uint32_t>(store_.elements())};
  Stream input_{StreamKind::non_blocking};
  Stream main_{StreamKind::non_blocking};
  Event loaded_{EventKind::ordering};
  Event free_{EventKind::ordering};
};

// The copies of neighbouring tiles overlap, except the first copy in and the last copy out.
Expectation both_engines(const PartTimes& parts, const Shape& shape) {
  const double both = std::max(parts.h2d_both_us, parts.d2h_both_us);
  const double kernels = shape.tiles * parts.kernel_us;
  const double ends = parts.h2d_us + parts.d2h_us;
  return {ends + (shape.tiles - 1) * both + kernels,
          ends + (shape.tiles - 1) * (parts.h2d_both_us + parts.d2h_both_us) + kernels};
}

}  // namespace

std::vector<Case> wait_event_cases() {
  Case result = pair_of(
      {.name = "two-copy-engines",
       .wrong = "The stream waits for the new input before it copies the last result out, so that "
                "only one copy engine works at a time.",
       .fix = "Issue the copy out first, and wait for the event just before the kernel."},
      Cause::event_wait, serial, both_engines);
  result.make = [](const Setting& setting) { return std::make_unique<TwoCopyEngines>(setting); };
  return {result};
}

}  // namespace lapscope::workloads::streams
