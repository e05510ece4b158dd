#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "workloads/scan/rungs/workspace.h"

namespace lapscope::workloads::scan {

// What a block has told the others about its tile. Anything else is a word of an earlier scan, and
// means that it has told nothing yet.
struct Tags {
  std::uint32_t aggregate;  // The value combines the tile.
  std::uint32_t prefix;     // The value combines the tile and all before it.

  __device__ explicit Tags(std::uint32_t epoch) : aggregate(epoch * 4 + 1), prefix(epoch * 4 + 2) {}
};

// One word per tile: a tag and a value, written and read by one access that no other can tear. So
// whoever sees the tag sees the value, and neither needs a fence.
template <typename T>
class TileStates {
 public:
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  static constexpr std::size_t word_bytes = 2 * sizeof(T);

  struct Seen {
    T value;
    std::uint32_t tag;
  };

  __device__ explicit TileStates(void* words) : words_(static_cast<char*>(words)) {}

  __device__ void publish(std::int64_t tile, T value, std::uint32_t tag) const {
    char* const word = words_ + tile * static_cast<std::int64_t>(word_bytes);
    if constexpr (sizeof(T) == 4) {
      std::uint32_t bits;
      memcpy(&bits, &value, sizeof bits);
      const std::uint64_t packed = (static_cast<std::uint64_t>(tag) << 32) | bits;
      asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(packed) : "memory");
    } else {
      std::uint64_t bits;
      memcpy(&bits, &value, sizeof bits);
      asm volatile(
          "{\n\t"
          ".reg .b128 word;\n\t"
          "mov.b128 word, {%1, %2};\n\t"
          "st.relaxed.gpu.global.b128 [%0], word;\n\t"
          "}" ::"l"(word),
          "l"(bits), "l"(static_cast<std::uint64_t>(tag))
          : "memory");
    }
  }

  __device__ Seen peek(std::int64_t tile) const {
    const char* const word = words_ + tile * static_cast<std::int64_t>(word_bytes);
    Seen seen;
    if constexpr (sizeof(T) == 4) {
      std::uint64_t packed;
      asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(packed) : "l"(word) : "memory");
      const auto bits = static_cast<std::uint32_t>(packed);
      memcpy(&seen.value, &bits, sizeof bits);
      seen.tag = static_cast<std::uint32_t>(packed >> 32);
    } else {
      std::uint64_t bits;
      std::uint64_t tag;
      asm volatile(
          "{\n\t"
          ".reg .b128 word;\n\t"
          "ld.relaxed.gpu.global.b128 word, [%2];\n\t"
          "mov.b128 {%0, %1}, word;\n\t"
          "}"
          : "=l"(bits), "=l"(tag)
          : "l"(word)
          : "memory");
      memcpy(&seen.value, &bits, sizeof bits);
      seen.tag = static_cast<std::uint32_t>(tag);
    }
    return seen;
  }

 private:
  char* words_;
};

// A turn: the right and duty to scan one tile.
//
// Tiles are handed out to running blocks in order, by one atomic. A block waits only for lower
// tiles; those are held by blocks that already run; so somebody can always go on, whatever order
// the blocks start in and however few of them fit on the device. blockIdx promises none of this.
struct Ticket {
  std::uint32_t tile;
  std::uint32_t epoch;
};

// Asks for a ticket. The answer takes a round trip to the second-level cache: ask early, use late.
__device__ inline std::uint64_t ask_for_ticket(std::uint64_t* counter) {
  return atomicAdd(reinterpret_cast<unsigned long long*>(counter), 1ULL);
}

// `last` is the highest ticket that this scan hands out. Whoever draws it prepares the counter for
// the next scan: nobody else of this one will touch it again.
__device__ inline Ticket take_ticket(std::uint64_t answer, std::uint64_t* counter,
                                     std::uint32_t last) {
  const Ticket ticket{static_cast<std::uint32_t>(answer), static_cast<std::uint32_t>(answer >> 32)};
  if (ticket.tile == last) *counter = static_cast<std::uint64_t>(ticket.epoch + 1) << 32;
  return ticket;
}

}  // namespace lapscope::workloads::scan
