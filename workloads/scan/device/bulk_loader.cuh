#pragma once

#include <cstdint>

#include "workloads/scan/device/async_loader.cuh"

namespace lapscope::workloads::scan {

// A barrier in shared memory on which copies by the hardware can arrive (sm_90).
//
// A phase ends when all expected arrivals and bytes are in; phases are told apart by their parity.
struct BulkBarrier {
  std::uint64_t word;

  __device__ std::uint32_t address() {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(&word));
  }
  __device__ void init(unsigned arrivals) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address()), "r"(arrivals) : "memory");
  }
  __device__ void arrive() {
    asm volatile(
        "{\n\t.reg .b64 state;\n\tmbarrier.arrive.shared.b64 state, [%0];\n\t}" ::"r"(address())
        : "memory");
  }
  __device__ void arrive_and_expect(unsigned bytes) {
    asm volatile(
        "{\n\t.reg .b64 state;\n\tmbarrier.arrive.expect_tx.shared.b64 state, [%0], %1;\n\t}" ::"r"(
            address()),
        "r"(bytes)
        : "memory");
  }
  __device__ void wait(unsigned parity) {
    unsigned done = 0;
    while (done == 0) {
      asm volatile(
          "{\n\t"
          ".reg .pred p;\n\t"
          "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\t"
          "selp.u32 %0, 1, 0, p;\n\t"
          "}"
          : "=r"(done)
          : "r"(address()), "r"(parity)
          : "memory");
    }
  }
};

__device__ inline void bulk_copy(void* to, const void* from, unsigned bytes, BulkBarrier& arrives) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
      "l"(from), "r"(bytes), "r"(arrives.address())
      : "memory");
}

// Like AsyncLoader, but one thread hands the whole tile to the hardware: sm_90.
template <typename Tile, unsigned Stages>
class BulkLoader {
 public:
  using P = typename Tile::P;
  using In = typename Tile::In;
  struct Shared {
    BulkBarrier full[Stages];
  };
  static constexpr bool needs_bulk_copies = true;
  static constexpr unsigned stages = Stages;
  static constexpr unsigned tile_bytes = Tile::size * sizeof(In);
  static constexpr std::size_t shared_bytes = std::size_t{Stages} * tile_bytes;

  __device__ BulkLoader(const Arrays<P>& arrays, In* stages, Shared& shared)
      : arrays_(arrays), stages_(stages), shared_(shared) {}

  __device__ void prepare() {
    if (threadIdx.x != 0) return;
    for (BulkBarrier& full : shared_.full) full.init(1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }

  __device__ void start(unsigned turn, std::uint32_t tile) {
    if (threadIdx.x != 0 || !is_whole<Tile>(arrays_, tile)) return;
    BulkBarrier& full = shared_.full[turn % Stages];
    full.arrive_and_expect(tile_bytes);
    bulk_copy(stage(turn), arrays_.in + std::uint64_t{tile} * Tile::size, tile_bytes, full);
  }

  // Tiles that are not whole use no stage. No whole one comes after, so that turns and phases of
  // the barriers stay together.
  __device__ void finish(unsigned turn, std::uint32_t tile, Tile& registers) const {
    if (is_whole<Tile>(arrays_, tile)) {
      shared_.full[turn % Stages].wait(turn / Stages % 2);
      registers.load_shared(stage(turn));
    } else {
      const std::uint64_t begin = std::uint64_t{tile} * Tile::size;
      registers.load_elements(arrays_.in + begin, arrays_.n - begin);
    }
  }

 private:
  __device__ In* stage(unsigned turn) const { return stages_ + turn % Stages * Tile::size; }

  const Arrays<P>& arrays_;
  In* stages_;
  Shared& shared_;
};

}  // namespace lapscope::workloads::scan
