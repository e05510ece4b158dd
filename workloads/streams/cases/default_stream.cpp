// One short operation per tile runs in the legacy default stream. There it waits for all earlier
// work of blocking streams. All later work of these streams waits for it.

#include <algorithm>
#include <memory>

#include "workloads/harness/timed_kernels.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"
#include "workloads/streams/suite/tile_records.h"
#include "workloads/streams/suite/tile_store.h"

namespace lapscope::workloads::streams {
namespace {

constexpr std::chrono::microseconds stamp_length(20);

cudaStream_t stream_of_step(const Setting& setting, const TileJob& job) {
  return setting.broken() ? cudaStreamLegacy : job.stream;
}

std::uint32_t stamp_of(std::size_t tile) { return static_cast<std::uint32_t>(tile) + 1; }

// A kernel that marks the tile as done.
struct Stamps {
  explicit Stamps(const Shape& shape) : stamps(static_cast<std::size_t>(shape.tiles)) {}

  void launch(const TileJob& job, cudaStream_t stream) const {
    kernel.launch(stamps.data() + job.tile, stamp_of(job.tile), stamp_length, stream);
  }
  void verify() const {
    for (std::size_t tile = 0; tile < stamps.span().size(); ++tile) {
      require_value(stamps.span().subspan(tile, 1), stamp_of(tile),
                    "the stamp of tile " + std::to_string(tile));
    }
  }

  StampKernel kernel;
  PinnedBuffer<std::uint32_t> stamps;
};

std::shared_ptr<Stamps> with_stamps(Recipe& recipe, const Setting& setting) {
  const auto stamps = std::make_shared<Stamps>(setting.shape);
  recipe.verify = [=] { stamps->verify(); };
  recipe.clear = [=] { std::ranges::fill(stamps->stamps.span(), 0U); };
  return stamps;
}

// Sets the step of the pipeline to `fill`, which writes the record of a tile.
template <typename Fill>
void fill_records(Recipe& recipe, const Setting& setting, Fill fill) {
  const auto records = std::make_shared<TileRecords>(setting.shape);
  recipe.kind = StreamKind::blocking;
  recipe.step = [=](const TileJob& job) { fill(*records, job, stream_of_step(setting, job)); };
  recipe.verify = [=] { records->verify(); };
  recipe.clear = [=] { records->clear(); };
}

Case kernel() {
  return pipeline_pair(
      {.name = "default-stream-kernel",
       .wrong = "A short kernel per tile is launched without a stream: the legacy default stream.",
       .fix = "Launch it in the stream of its tile."},
      Cause::default_stream_barrier, serial, [](Recipe& recipe, const Setting& setting) {
        recipe.kind = StreamKind::blocking;
        const auto stamps = with_stamps(recipe, setting);
        recipe.step = [=](const TileJob& job) {
          PLANTED("default-stream-kernel", stamps->launch(job, stream_of_step(setting, job)));
        };
      });
}

Case memset() {
  return pipeline_pair(
      {.name = "default-stream-memset",
       .wrong = "4 KiB per tile are set by a memset in the legacy default stream.",
       .fix = "Use cudaMemsetAsync with the stream of the tile."},
      Cause::default_stream_barrier, serial, [](Recipe& recipe, const Setting& setting) {
        fill_records(
            recipe, setting,
            [](const TileRecords& records, const TileJob& job, cudaStream_t stream) {
              check(PLANTED("default-stream-memset",
                            cudaMemsetAsync(records.of(job.tile), TileRecords::byte_of(job.tile),
                                            TileRecords::bytes, stream)),
                    "set a record");
            });
      });
}

Case memcpy() {
  return pipeline_pair(
      {.name = "default-stream-memcpy",
       .wrong = "4 KiB per tile are copied to the device in the legacy default stream.",
       .fix = "Pass the stream of the tile to cudaMemcpyAsync."},
      Cause::default_stream_barrier, serial, [](Recipe& recipe, const Setting& setting) {
        fill_records(
            recipe, setting,
            [](const TileRecords& records, const TileJob& job, cudaStream_t stream) {
              check(PLANTED("default-stream-memcpy",
                            cudaMemcpyAsync(records.of(job.tile), records.wanted_on_host(job.tile),
                                            TileRecords::bytes, cudaMemcpyHostToDevice, stream)),
                    "copy a record to the device");
            });
      });
}

Case device_copy() {
  return pipeline_pair(
      {.name = "default-stream-d2d",
       .wrong = "4 KiB per tile are copied within the device in the legacy default stream.",
       .fix = "Pass the stream of the tile to cudaMemcpyAsync."},
      Cause::default_stream_barrier, serial, [](Recipe& recipe, const Setting& setting) {
        fill_records(recipe, setting,
                     [](const TileRecords& records, const TileJob& job, cudaStream_t stream) {
                       check(PLANTED("default-stream-d2d",
                                     cudaMemcpyAsync(
                                         records.of(job.tile), records.wanted_on_device(job.tile),
                                         TileRecords::bytes, cudaMemcpyDeviceToDevice, stream)),
                             "copy a record within the device");
                     });
      });
}

// The short kernels run together with the tiles, and end soon after the last tile.
Expectation overlapped_beside_steps(const PartTimes& parts, const Shape& shape) {
  return overlapped(parts, shape);
}

Case blocking() {
  return pipeline_pair(
      {.name = "blocking-streams",
       .wrong = "The streams were made by cudaStreamCreate, so that a short kernel that some other "
                "code launches into the legacy default stream for each tile holds them up.",
       .fix = "Make the streams with cudaStreamNonBlocking, where that kernel's results are not "
              "waited for."},
      Cause::default_stream_barrier, serial,
      [](Recipe& recipe, const Setting& setting) {
        recipe.kind = setting.broken() ? StreamKind::blocking : StreamKind::non_blocking;
        const auto stamps = with_stamps(recipe, setting);
        recipe.step = [=](const TileJob& job) {
          PLANTED("blocking-streams", stamps->launch(job, cudaStreamLegacy));
        };
      },
      overlapped_beside_steps);
}

}  // namespace

std::vector<Case> default_stream_cases() {
  return {kernel(), memset(), memcpy(), device_copy(), blocking()};
}

}  // namespace lapscope::workloads::streams
