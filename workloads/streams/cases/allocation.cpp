// Cases that allocate and free device memory while tiles are in flight. cudaFree returns only when
// the device is idle.

#include <algorithm>
#include <memory>
#include <vector>

#include "workloads/harness/handles.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/measure_parts.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"
#include "workloads/streams/suite/tile_store.h"

namespace lapscope::workloads::streams {
namespace {

// A block is larger than the driver's reserve, so each allocation maps memory.
constexpr std::size_t scratch_bytes = std::size_t{4} << 20;
constexpr std::size_t scratch_words = scratch_bytes / sizeof(std::uint32_t);
constexpr std::uint32_t scratch_byte = 0x5A;

// The scratch memory of the tiles. verify() checks that the last word of each block was written.
struct Scratch {
  explicit Scratch(const Shape& shape)
      : proofs(static_cast<std::size_t>(shape.tiles)),
        blocks(static_cast<std::size_t>(shape.tiles), nullptr) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { free_all(); }

  void allocate(std::size_t tile) {
    check(cudaMalloc(&blocks[tile], scratch_bytes), "allocate scratch memory");
  }
  void free(std::size_t tile) {
    check(cudaFree(blocks[tile]), "free scratch memory");
    blocks[tile] = nullptr;
  }
  void free_all() {
    for (std::uint32_t*& block : blocks) {
      cudaFree(block);
      block = nullptr;
    }
  }
  void use(const TileJob& job) {
    check(cudaMemsetAsync(blocks[job.tile], scratch_byte, scratch_bytes, job.stream),
          "set scratch memory");
    check(cudaMemcpyAsync(proofs.data() + job.tile, blocks[job.tile] + scratch_words - 1,
                          sizeof(std::uint32_t), cudaMemcpyDeviceToHost, job.stream),
          "copy a word of scratch memory to the host");
  }
  void verify() const {
    require_value(proofs.span(), 0x01010101U * scratch_byte, "the words from scratch memory");
  }
  void clear() const { std::ranges::fill(proofs.span(), 0U); }

  PinnedBuffer<std::uint32_t> proofs;
  std::vector<std::uint32_t*> blocks;
};

std::shared_ptr<Scratch> with_scratch(Recipe& recipe, const Setting& setting) {
  const auto scratch = std::make_shared<Scratch>(setting.shape);
  recipe.computed = [=](const TileJob& job) { scratch->use(job); };
  recipe.verify = [=] { scratch->verify(); };
  recipe.clear = [=] { scratch->clear(); };
  return scratch;
}

// Returns how long the calls take on an idle device, where they do not wait. The first few calls of
// a process take three times as long as later ones and are left out.
double allocation_us(Scratch& scratch, bool only_free) {
  return warm_median([&] {
    const double allocated = host_us([&] { scratch.allocate(0); });
    const double freed = host_us([&] { scratch.free(0); });
    return only_free ? freed : freed + allocated;
  });
}

Expectation serial_with_calls(const PartTimes& parts, const Shape& shape) {
  return one_after_the_other(parts, shape, parts.round_trip_us + parts.planted_us);
}

// A pool that keeps freed memory and uses it again without waiting.
class Pool {
 public:
  explicit Pool(int blocks) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    check(cudaMemPoolCreate(&pool_, &properties), "create a memory pool");
    std::uint64_t keep = UINT64_MAX;
    check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep),
          "let a memory pool keep its memory");
    // By default, a pool may reuse a block that another stream freed. In this case, the pool makes
    // the allocating stream wait for that other stream.
    int no = 0;
    check(cudaMemPoolSetAttribute(pool_, cudaMemPoolReuseAllowInternalDependencies, &no),
          "keep a memory pool from ordering streams");
    fill(blocks);
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() { cudaMemPoolDestroy(pool_); }

  void allocate(std::uint32_t** block, cudaStream_t stream) const {
    check(cudaMallocFromPoolAsync(block, scratch_bytes, pool_, stream),
          "allocate scratch memory from a pool");
  }

 private:
  // Fills the pool, so that it has memory for the first tiles, too.
  void fill(int blocks) const {
    const Stream stream(StreamKind::non_blocking);
    std::vector<std::uint32_t*> taken(static_cast<std::size_t>(blocks));
    for (std::uint32_t*& block : taken) allocate(&block, stream.get());
    for (std::uint32_t* block : taken) {
      check(cudaFreeAsync(block, stream.get()), "give memory back to a pool");
    }
    check(cudaStreamSynchronize(stream.get()), "wait for a memory pool");
  }

  cudaMemPool_t pool_ = nullptr;
};

void allocate_by_hand(Recipe& recipe, const std::shared_ptr<Scratch>& scratch) {
  recipe.before = [=](const TileJob& job) {
    PLANTED("alloc-in-loop", scratch->allocate(job.tile));
  };
  recipe.after = [=](const TileJob& job) { PLANTED("alloc-in-loop", scratch->free(job.tile)); };
  recipe.planted_us = [=] { return allocation_us(*scratch, false); };
}

void allocate_from_pool(Recipe& recipe, const std::shared_ptr<Scratch>& scratch, int tiles) {
  const auto pool = std::make_shared<Pool>(tiles);
  recipe.before = [=](const TileJob& job) {
    pool->allocate(&scratch->blocks[job.tile], job.stream);
  };
  recipe.after = [=](const TileJob& job) {
    check(cudaFreeAsync(scratch->blocks[job.tile], job.stream), "give memory back to a pool");
    scratch->blocks[job.tile] = nullptr;
  };
}

// In another process, the same calls can take 50 % longer, so the tolerance is larger.
Case with_calls(Case result, double wall_tolerance) {
  result.variants.front().wall_tolerance = wall_tolerance;
  result.needs.device_bytes_per_tile = scratch_bytes;
  return result;
}

Case allocated() {
  return with_calls(
      pipeline_pair(
          {.name = "alloc-in-loop",
           .wrong =
               "Each tile allocates its scratch memory with cudaMalloc and frees it with cudaFree.",
           .fix = "Use cudaMallocAsync and cudaFreeAsync, from a pool that keeps its memory."},
          Cause::alloc_free, serial_with_calls,
          [](Recipe& recipe, const Setting& setting) {
            const auto scratch = with_scratch(recipe, setting);
            if (setting.broken()) {
              allocate_by_hand(recipe, scratch);
            } else {
              allocate_from_pool(recipe, scratch, setting.shape.tiles);
            }
          }),
      0.15);
}

Case freed() {
  return with_calls(
      pipeline_pair(
          {.name = "free-in-loop",
           .wrong = "Each tile frees its scratch memory with cudaFree, which waits for the device.",
           .fix = "Free after the loop, or keep the memory for the next tile."},
          Cause::alloc_free, serial_with_calls,
          [](Recipe& recipe, const Setting& setting) {
            const auto scratch = with_scratch(recipe, setting);
            // clear() allocates the memory. It is called before each run.
            recipe.clear = [scratch, tiles = static_cast<std::size_t>(setting.shape.tiles)] {
              scratch->clear();
              scratch->free_all();
              for (std::size_t tile = 0; tile < tiles; ++tile) scratch->allocate(tile);
            };
            recipe.planted_us = [=] { return allocation_us(*scratch, true); };
            if (!setting.broken()) return;
            recipe.after = [=](const TileJob& job) {
              PLANTED("free-in-loop", scratch->free(job.tile));
            };
          }),
      0.1);
}

}  // namespace

std::vector<Case> allocation_cases() { return {allocated(), freed()}; }

}  // namespace lapscope::workloads::streams
