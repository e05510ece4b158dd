#pragma once

#include <cstdint>
#include <cstring>

#include "workloads/scan/rungs/device.cuh"

namespace lapscope::workloads::scan {

// The tags of this scan. A tag says which value a block has published for its tile. A tag of an
// earlier scan means that the block has published nothing yet.
struct Tags {
  std::uint32_t aggregate;  // The value is the total of the tile.
  std::uint32_t prefix;     // The value is the sum of all elements before the tile.

  __device__ explicit Tags(std::uint32_t epoch) : aggregate(epoch * 4 + 1), prefix(epoch * 4 + 2) {}
};

// One word for each tile, with a tag and a value. A single access reads or writes tag and value. A
// thread that sees the tag therefore also sees the value, without a fence.
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

// The block that draws a ticket must scan the ticket's tile. An atomic counter gives the tiles, in
// order, to blocks that run. A block waits only for lower tiles, and the blocks of these tiles run
// already. So there is no deadlock, whatever the order in which blocks start. If blockIdx chose the
// tile, a block could wait for a block that has no room to start.
struct Ticket {
  std::uint32_t tile;
  std::uint32_t epoch;
};

// Requests a ticket. The answer takes a round trip to the L2 cache, so ask early.
__device__ inline std::uint64_t ask_for_ticket(std::uint64_t* counter) {
  return atomicAdd(reinterpret_cast<unsigned long long*>(counter), 1ULL);
}

// Returns the ticket in `answer`. A thread that gets `last`, the last ticket of this scan, resets
// the counter for the next scan.
__device__ inline Ticket take_ticket(std::uint64_t answer, std::uint64_t* counter,
                                     std::uint32_t last) {
  const Ticket ticket{static_cast<std::uint32_t>(answer), static_cast<std::uint32_t>(answer >> 32)};
  if (ticket.tile == last) *counter = static_cast<std::uint64_t>(ticket.epoch + 1) << 32;
  return ticket;
}

// Adds the values of all lanes. All lanes get the sum.
template <typename T>
__device__ T warp_sum(T value) {
#pragma unroll
  for (unsigned distance = 1; distance < warp_size; distance *= 2) {
    value += __shfl_xor_sync(all_lanes, value, distance);
  }
  return value;
}

// Adds the totals of the tiles `first` to `end` - 1. All lanes of the calling warp get the sum. In
// a round trip, each lane reads five words. A lane reads a word again until the word has a total.
// Most words have a total at once, because a block publishes its total before it waits for a
// prefix.
template <typename T>
__device__ T sum_totals(const TileStates<T>& states, std::uint32_t first, std::uint32_t end,
                        Tags tags) {
  using Seen = typename TileStates<T>::Seen;
  constexpr unsigned rows = 5;
  // The lanes read the words of a row in reverse, because this was faster than other orders.
  const unsigned place = warp_size - 1 - lane_id();
  T sum = T{0};
  for (; first < end; first += warp_size * rows) {
    Seen seen[rows];
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      const std::uint32_t tile = first + r * warp_size + place;
      seen[r] = Seen{T{0}, tags.aggregate};
      if (tile < end) seen[r] = states.peek(tile);
    }
    while (true) {
      bool missing = false;
#pragma unroll
      for (unsigned r = 0; r < rows; ++r) missing = missing || seen[r].tag != tags.aggregate;
      if (!__any_sync(all_lanes, missing)) break;
#pragma unroll
      for (unsigned r = 0; r < rows; ++r) {
        if (seen[r].tag != tags.aggregate) seen[r] = states.peek(first + r * warp_size + place);
      }
    }
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      if (first + r * warp_size >= end) break;
      sum += warp_sum(seen[r].value);
    }
    if (end - first <= warp_size * rows) break;
  }
  return sum;
}

// Computes the prefix of each tile of a block. For example, if a block has tile 5 and then tile 9,
// the prefix of tile 9 is the prefix of tile 5, plus the totals of the tiles 5 to 8. The number of
// these totals is about the number of blocks in the grid. This class never waits for a prefix of
// another block.
//
// The board has checkpoints after the words of the tiles. Word `tiles + i` has the sum of all
// elements before tile `i * segment`.
template <typename T>
class CarriedPrefix {
 public:
  static constexpr unsigned segment = 256;

  // If `seed` is not null, its value is added like an element before tile 0.
  __device__ CarriedPrefix(void* words, std::uint32_t tiles, const T* seed)
      : states_(words), checkpoints_(tiles), prefix_(seed == nullptr ? T{0} : *seed) {}

  // Returns the prefix of the ticket's tile. One whole warp must call this. Each call must have
  // a higher tile than the call before.
  __device__ T prefix_of(Ticket ticket) {
    const Tags tags(ticket.epoch);
    if (next_ == 0) resume(ticket.tile, tags);
    const T between = sum_totals(states_, next_, ticket.tile, tags);
    prefix_ += between;
    next_ = ticket.tile;
    if (next_ % segment == 0 && lane_id() == 0) {
      states_.publish(checkpoints_ + next_ / segment, prefix_, tags.prefix);
    }
    return prefix_;
  }

 private:
  // A block that starts late begins at the last published checkpoint and not at tile 0. It does not
  // wait for a checkpoint.
  __device__ void resume(std::uint32_t tile, Tags tags) {
    for (std::int64_t last = tile / segment; last > 0; last -= warp_size) {
      const std::int64_t mine = last - lane_id();
      auto seen = typename TileStates<T>::Seen{prefix_, 0};
      if (mine > 0) seen = states_.peek(checkpoints_ + mine);
      const unsigned known = __ballot_sync(all_lanes, mine > 0 && seen.tag == tags.prefix);
      if (known == 0) continue;
      const int nearest = __ffs(static_cast<int>(known)) - 1;
      prefix_ = __shfl_sync(all_lanes, seen.value, nearest);
      next_ = static_cast<std::uint32_t>(last - nearest) * segment;
      return;
    }
  }

  TileStates<T> states_;
  std::uint32_t checkpoints_;
  std::uint32_t next_ = 0;  // `prefix_` is the sum of all elements before this tile.
  T prefix_;
};

}  // namespace lapscope::workloads::scan
