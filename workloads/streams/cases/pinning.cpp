// Host memory page-locked while tiles are in flight.

#include <algorithm>
#include <memory>
#include <vector>

#include "workloads/harness/buffers.h"
#include "workloads/harness/timing.h"
#include "workloads/streams/cases/families.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/tile_records.h"

namespace lapscope::workloads::streams {
namespace {

constexpr std::size_t staging_bytes = std::size_t{1} << 20;

// Pinned memory through which the record of a tile goes to the device: allocated for all tiles
// before the loop, or for one tile in it.
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

Expectation serial_with_pinning(const PartTimes& parts, const Shape& shape) {
  return one_after_the_other(parts, shape, parts.round_trip_us + parts.planted_us);
}

// Registering costs the host time, and nothing on the device waits for it.
Expectation paced_by_registering(const PartTimes& parts, const Shape& shape) {
  return paced_by_host(parts, shape, Recipe{}.streams, parts.planted_us);
}

Case loose(Case result) {
  result.variants.front().wall_tolerance = 0.25;
  result.variants.front().overlap_tolerance = 0.25;
  return result;
}

Case allocated() {
  return loose(pipeline_pair(
      {.name = "pinning-in-loop",
       .wrong = "Each tile allocates 1 MiB of pinned memory and frees it, which waits for the "
                "device.",
       .fix = "Allocate the pinned memory once, before the loop."},
      Cause::host_pinning, serial_with_pinning, [](Recipe& recipe, const Setting& setting) {
        const auto staging = std::make_shared<Staging>(setting.shape);
        recipe.step = [=](const TileJob& job) { staging->send(job); };
        recipe.verify = [=] { staging->records().verify(); };
        recipe.clear = [=] { staging->records().clear(); };
        recipe.planted_us = [=] {
          const double allocating = host_us([&] { staging->allocate(0); });
          return allocating + host_us([&] { staging->free(0); });
        };
        if (!setting.broken()) return;
        recipe.before = [=](const TileJob& job) { staging->allocate(job.tile); };
        recipe.after = [=](const TileJob& job) { staging->free(job.tile); };
      }));
}

double registering_us(std::size_t words) {
  const HostBuffer memory(words, HostMemory::pageable);
  const double us = host_us([&] {
    check(cudaHostRegister(memory.data(), words * sizeof(std::uint32_t), cudaHostRegisterDefault),
          "page-lock host memory in place");
  });
  check(cudaHostUnregister(memory.data()), "unlock host memory");
  return us;
}

// Unlocked after the run: here the loop is to pay for the locking alone.
void lock_tile_by_tile(Recipe& recipe, std::size_t bytes) {
  const auto locked = std::make_shared<std::vector<void*>>();
  recipe.input = HostMemory::pageable;
  recipe.before = [=](const TileJob& job) {
    locked->push_back(const_cast<std::uint32_t*>(job.input));
    check(cudaHostRegister(locked->back(), bytes, cudaHostRegisterDefault),
          "page-lock host memory in place");
  };
  recipe.verify = [=] {
    for (void* tile : *locked) check(cudaHostUnregister(tile), "unlock host memory");
    locked->clear();
  };
}

Case registered() {
  return loose(pipeline_pair(
      {.name = "register-in-loop",
       .wrong = "Each tile page-locks its part of the input with cudaHostRegister.",
       .fix = "Register the whole input once, before the loop."},
      Cause::host_pinning, paced_by_registering, [](Recipe& recipe, const Setting& setting) {
        recipe.planted_us = [words = setting.shape.tile_elements()] {
          return registering_us(words);
        };
        recipe.input = HostMemory::registered;
        if (setting.broken()) lock_tile_by_tile(recipe, setting.shape.tile_bytes());
      }));
}

}  // namespace

std::vector<Case> pinning_cases() { return {allocated(), registered()}; }

}  // namespace lapscope::workloads::streams
