// Page-locks host memory while tiles are in flight.

#include <algorithm>
#include <memory>
#include <vector>

#include "workloads/harness/handles.h"
#include "workloads/harness/workload_report.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/measure_parts.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"
#include "workloads/streams/suite/tile_records.h"

namespace lapscope::workloads::streams {
namespace {

constexpr std::size_t staging_bytes = std::size_t{1} << 20;

// Pinned memory from which a tile's record is copied to the device. The fixed variant allocates
// this memory before the loop. The broken variant allocates it in the loop, for each tile.
class Staging {
 public:
  explicit Staging(const Shape& shape)
      : records_(shape),
        common_(static_cast<std::size_t>(shape.tiles) * TileRecords::words),
        own_(static_cast<std::size_t>(shape.tiles), nullptr) {}
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging() {
    for (std::uint32_t* block : own_) cudaFreeHost(block);
  }

  void allocate(std::size_t tile) {
    check(cudaMallocHost(&own_[tile], staging_bytes), "allocate pinned host memory");
  }
  void free(std::size_t tile) {
    check(cudaFreeHost(own_[tile]), "free pinned host memory");
    own_[tile] = nullptr;
  }
  void send(const TileJob& job) const {
    std::uint32_t* const block =
        own_[job.tile] != nullptr ? own_[job.tile] : common_.data() + job.tile * TileRecords::words;
    std::copy_n(records_.wanted_on_host(job.tile), TileRecords::words, block);
    check(cudaMemcpyAsync(records_.of(job.tile), block, TileRecords::bytes, cudaMemcpyHostToDevice,
                          job.stream),
          "copy a record to the device");
  }
  const TileRecords& records() const { return records_; }

 private:
  TileRecords records_;
  PinnedBuffer<std::uint32_t> common_;
  std::vector<std::uint32_t*> own_;
};

// At the end of each tile, the host unpins memory with a call that waits for the device.
Expectation serial_with_pinning(const PartTimes& parts, const Shape& shape) {
  return one_after_the_other(parts, shape, parts.round_trip_us + parts.planted_us);
}

// The time to page-lock memory depends on the state of the host's pages. For single tiles of 8 MiB,
// it is 0.24 to 1 ms.
Case with_loose_tolerance(Case result) {
  result.variants.front().wall_tolerance = 0.15;
  return result;
}

Case pinned_in_loop() {
  return pipeline_pair(
      {.name = "pinning-in-loop",
       .wrong = "Each tile allocates 1 MiB of pinned memory and frees it, which waits for the "
                "device.",
       .fix = "Allocate the pinned memory once, before the loop."},
      Cause::host_pinning, serial_with_pinning, [](Recipe& recipe, const Setting& setting) {
        const auto staging = std::make_shared<Staging>(setting.shape);
        recipe.step = [=](const TileJob& job) { staging->send(job); };
        recipe.verify = [=] { staging->records().verify(); };
        recipe.clear = [=] { staging->records().clear(); };
        // Leaves out the first calls of the process, which take longer.
        recipe.planted_us = [=] {
          return warm_median([&] {
            const double allocating = host_us([&] { staging->allocate(0); });
            return allocating + host_us([&] { staging->free(0); });
          });
        };
        if (!setting.broken()) return;
        recipe.before = [=](const TileJob& job) {
          PLANTED("pinning-in-loop", staging->allocate(job.tile));
        };
        recipe.after = [=](const TileJob& job) {
          PLANTED("pinning-in-loop", staging->free(job.tile));
        };
      });
}

void lock(void* tile, std::size_t bytes) {
  check(cudaHostRegister(tile, bytes, cudaHostRegisterDefault), "page-lock host memory in place");
}
void unlock(void* tile) { check(cudaHostUnregister(tile), "unlock host memory"); }

// Returns the median time to lock and unlock a tile on an idle device. A few tiles take three times
// as long. They would distort a mean.
double registering_us(const Shape& shape) {
  const auto tiles = static_cast<std::size_t>(shape.tiles);
  const HostBuffer memory(tiles * shape.tile_elements(), HostMemory::pageable);
  const auto measured = [&](std::size_t tile) {
    std::uint32_t* const words = memory.data() + tile * shape.tile_elements();
    const double locking = host_us([&] { lock(words, shape.tile_bytes()); });
    return locking + host_us([&] { unlock(words); });
  };
  std::vector<double> all(tiles);
  for (std::size_t tile = 0; tile < tiles; ++tile) measured(tile);  // The first calls are slower.
  for (std::size_t tile = 0; tile < tiles; ++tile) all[tile] = measured(tile);
  return median(all);
}

Case registered_in_loop() {
  Case result = with_loose_tolerance(pipeline_pair(
      {.name = "register-in-loop",
       .wrong = "Each tile page-locks its part of the input with cudaHostRegister, and unlocks it "
                "with cudaHostUnregister, which waits for the device.",
       .fix = "Register the whole input once, before the loop."},
      Cause::host_pinning, serial_with_pinning, [](Recipe& recipe, const Setting& setting) {
        recipe.planted_us = [shape = setting.shape] { return registering_us(shape); };
        recipe.input = setting.broken() ? HostMemory::pageable : HostMemory::registered;
        if (!setting.broken()) return;
        recipe.before = [bytes = setting.shape.tile_bytes()](const TileJob& job) {
          PLANTED("register-in-loop", lock(const_cast<std::uint32_t*>(job.input), bytes));
        };
        recipe.after = [](const TileJob& job) {
          PLANTED("register-in-loop", unlock(const_cast<std::uint32_t*>(job.input)));
        };
      }));
  result.needs.host_copies = 3;  // One for the measurement.
  return result;
}

}  // namespace

std::vector<Case> pinning_cases() { return {pinned_in_loop(), registered_in_loop()}; }

}  // namespace lapscope::workloads::streams
