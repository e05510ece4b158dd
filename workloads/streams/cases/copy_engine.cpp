// All copies in one direction share one engine, whatever their streams.

#include <algorithm>
#include <vector>

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

// Two streams take the tiles in turn. Broken: both streams copy their tiles in. Fixed: one stream
// copies its tiles in, and the other copies its tiles out. The tiles to copy out are on the device
// before the run.
class SameDirection : public Workload {
 public:
  explicit SameDirection(const Setting& setting)
      : shape_(setting.shape),
        one_direction_(setting.broken()),
        store_(shape_),
        device_(static_cast<std::size_t>(shape_.tiles) * store_.elements()),
        schedule_(schedule_tiles(static_cast<std::size_t>(shape_.tiles), 2, store_.elements())) {
    streams_.emplace_back(StreamKind::non_blocking);
    streams_.emplace_back(StreamKind::non_blocking);
    SameDirection::clear();
  }

  PartTimes calibrate() override {
    PartTimes parts;
    measure_copies(parts, shape_);
    return parts;
  }

  void run() override {
    for (const Tile& tile : schedule_) {
      const NvtxRange range(tile.label.c_str());
      const cudaStream_t stream = streams_[tile.stream].get();
      if (goes_in(tile)) {
        check(PLANTED("same-direction-copies",
                      cudaMemcpyAsync(at(tile), store_.input(tile.index), store_.bytes(),
                                      cudaMemcpyHostToDevice, stream)),
              "copy a tile to the device");
      } else {
        check(cudaMemcpyAsync(store_.output(tile.index), at(tile), store_.bytes(),
                              cudaMemcpyDeviceToHost, stream),
              "copy a tile to the host");
      }
    }
    check(cudaDeviceSynchronize(), "wait for the copies");
  }

  void verify() override {
    for (const Tile& tile : schedule_) {
      if (!goes_in(tile)) continue;
      check(cudaMemcpy(store_.output(tile.index), at(tile), store_.bytes(), cudaMemcpyDeviceToHost),
            "copy a tile to the host");
    }
    store_.verify(AffineMap{});
  }

  // Prepares the device memory of all tiles. The run copies some of these tiles to the host.
  void clear() override {
    store_.clear();
    for (const Tile& tile : schedule_) {
      check(goes_in(tile) ? cudaMemset(at(tile), 0, store_.bytes())
                          : cudaMemcpy(at(tile), store_.input(tile.index), store_.bytes(),
                                       cudaMemcpyHostToDevice),
            "prepare a tile on the device");
    }
    check(cudaDeviceSynchronize(), "wait for the tiles to be prepared");
  }

 private:
  bool goes_in(const Tile& tile) const { return one_direction_ || tile.stream == 0; }
  std::uint32_t* at(const Tile& tile) const { return device_.data() + tile.offset; }

  Shape shape_;
  bool one_direction_;
  TileStore store_;
  DeviceBuffer<std::uint32_t> device_;
  std::vector<Tile> schedule_;
  std::vector<Stream> streams_;
};

Expectation one_engine(const PartTimes& parts, const Shape& shape) {
  const double copies = shape.tiles * parts.h2d_us;
  return {copies, copies};
}

Expectation two_engines(const PartTimes& parts, const Shape& shape) {
  const int in = (shape.tiles + 1) / 2;
  const int out = shape.tiles / 2;
  const double in_us = in * parts.h2d_both_us;
  const double out_us = out * parts.d2h_both_us;
  return {std::max(in_us, out_us), in_us + out_us};
}

}  // namespace

std::vector<Case> copy_engine_cases() {
  Case result = pair_of(
      {.name = "same-direction-copies",
       .wrong =
           "Two streams copy to the device at once, and one copy engine serves both: no use of "
           "streams overlaps these copies.",
       .fix =
           "Change what is copied: here half of the data is made on the device and copied out, by "
           "the other engine."},
      Cause::copy_engine, one_engine, two_engines);
  result.ignored = {"--kernel-us"};
  result.make = [](const Setting& setting) { return std::make_unique<SameDirection>(setting); };
  return {result};
}

}  // namespace lapscope::workloads::streams
