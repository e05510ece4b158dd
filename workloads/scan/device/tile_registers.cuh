#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "workloads/scan/device/warp.cuh"

namespace lapscope::workloads::scan {

// The arrays of a scan on the device.
template <typename P>
struct Arrays {
  const typename P::In* in = nullptr;
  typename P::Acc* out = nullptr;
  std::uint64_t n = 0;
  bool exclusive = false;
  bool aligned = false;  // Both arrays allow whole vectors, see `vector_bytes`.
};

// Data that is used once can say so, and then leaves the caches before other data.
enum class Caching { normal, streaming };

// A tile of consecutive elements in the registers of a block.
//
//   warp 0                               warp 1 ...
//   row 0: lane 0 | lane 1 | ... lane 31
//   row 1: lane 0 | lane 1 | ... lane 31
//
// A lane holds one vector per row: its loads and stores are 128 bits wide, neighbouring lanes touch
// neighbouring addresses, and nothing has to be transposed through shared memory. The price is one
// scan over the warp per row; the rows' shuffles do not depend on each other and overlap.
template <typename Problem, unsigned Threads, unsigned Rows, Caching Loads = Caching::streaming,
          Caching Stores = Caching::streaming>
class TileRegisters {
 public:
  using P = Problem;
  using In = typename P::In;
  using Acc = typename P::Acc;
  using Op = typename P::Op;

  static constexpr unsigned threads = Threads;
  static constexpr unsigned rows = Rows;
  static constexpr unsigned warps = Threads / warp_size;
  static constexpr unsigned vector = 16 / sizeof(Acc);
  static constexpr unsigned size = Threads * Rows * vector;
  static constexpr unsigned input_vector_bytes = vector * sizeof(In);

  // Where the lane's vector of a row begins, from the start of the tile.
  __device__ static unsigned offset(unsigned row) {
    return ((warp_id() * Rows + row) * warp_size + lane_id()) * vector;
  }

  // `in` is the start of the tile, aligned for vectors and full.
  __device__ void load_vectors(const In* in) {
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) set_row(r, load_vector(in + offset(r)));
  }

  // Any alignment; beyond `left` elements the tile is filled up with the identity.
  __device__ void load_elements(const In* in, std::uint64_t left) {
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) {
#pragma unroll
      for (unsigned v = 0; v < vector; ++v) {
        const unsigned i = offset(r) + v;
        items_[r][v] = i < left ? static_cast<Acc>(in[i]) : Op::identity();
      }
    }
  }

  __device__ void load(const Arrays<P>& arrays, std::uint64_t begin) {
    if (arrays.aligned && begin + size <= arrays.n) {
      load_vectors(arrays.in + begin);
    } else {
      load_elements(arrays.in + begin, arrays.n - begin);
    }
  }

  // The vectors of the lane, one per row, from shared memory that is laid out like the tile.
  __device__ void load_shared(const In* tile) {
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) {
      set_row(r, *reinterpret_cast<const InputVector*>(tile + offset(r)));
    }
  }

  // Replaces each element by the combination of what is to its left inside the warp, and of itself
  // unless `exclusive`. Returns the total of the warp.
  __device__ Acc scan_warp(bool exclusive) {
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) {
#pragma unroll
      for (unsigned v = 1; v < vector; ++v) items_[r][v] = Op{}(items_[r][v - 1], items_[r][v]);
    }
    Acc inclusive[Rows];
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) {
      inclusive[r] = warp_inclusive_scan<Op>(items_[r][vector - 1]);
    }
    Acc total = Op::identity();
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) {
      const Acc left = Op{}(total, shift_to_exclusive<Op>(inclusive[r]));
      total = Op{}(total, __shfl_sync(all_lanes, inclusive[r], warp_size - 1));
      if (exclusive) {
#pragma unroll
        for (unsigned v = vector - 1; v > 0; --v) items_[r][v] = Op{}(left, items_[r][v - 1]);
        items_[r][0] = left;
      } else {
#pragma unroll
        for (unsigned v = 0; v < vector; ++v) items_[r][v] = Op{}(left, items_[r][v]);
      }
    }
    return total;
  }

  // Writes the result, given all that is to the left of the warp.
  __device__ void store(const Arrays<P>& arrays, std::uint64_t begin, Acc left_of_warp) const {
    const bool whole = arrays.aligned && begin + size <= arrays.n;
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) {
      OutputVector result;
#pragma unroll
      for (unsigned v = 0; v < vector; ++v) result.item[v] = Op{}(left_of_warp, items_[r][v]);
      Acc* const out = arrays.out + begin + offset(r);
      if (whole) {
        store_vector(reinterpret_cast<uint4*>(out), bits(result));
      } else {
#pragma unroll
        for (unsigned v = 0; v < vector; ++v) {
          if (begin + offset(r) + v < arrays.n) out[v] = result.item[v];
        }
      }
    }
  }

 private:
  struct alignas(input_vector_bytes) InputVector {
    In item[vector];
  };
  struct alignas(16) OutputVector {
    Acc item[vector];
  };

  __device__ static InputVector load_vector(const In* in) {
    using Word = std::conditional_t<input_vector_bytes == 16, uint4, unsigned>;
    static_assert(sizeof(Word) == input_vector_bytes);
    const auto* const from = reinterpret_cast<const Word*>(in);
    const Word loaded = Loads == Caching::streaming ? __ldcs(from) : *from;
    InputVector result;
    memcpy(&result, &loaded, sizeof result);
    return result;
  }

  __device__ static void store_vector(uint4* out, uint4 stored) {
    if constexpr (Stores == Caching::streaming) {
      __stcs(out, stored);
    } else {
      *out = stored;
    }
  }

  __device__ static uint4 bits(const OutputVector& vector) {
    uint4 result;
    memcpy(&result, &vector, sizeof result);
    return result;
  }

  __device__ void set_row(unsigned r, const InputVector& loaded) {
#pragma unroll
    for (unsigned v = 0; v < vector; ++v) items_[r][v] = static_cast<Acc>(loaded.item[v]);
  }

  Acc items_[Rows][vector];
};

// Whether both arrays allow whole vectors.
template <typename P>
Arrays<P> arrays_of(const void* in, void* out, std::uint64_t n, bool exclusive) {
  constexpr std::uintptr_t in_bytes = 16 / sizeof(typename P::Acc) * sizeof(typename P::In);
  const bool aligned = reinterpret_cast<std::uintptr_t>(in) % in_bytes == 0 &&
                       reinterpret_cast<std::uintptr_t>(out) % 16 == 0;
  return {static_cast<const typename P::In*>(in), static_cast<typename P::Acc*>(out), n, exclusive,
          aligned};
}

// From the totals of the warps of a block, in shared memory: what is to the left of the calling
// warp, and the total of the block. All threads of the warp must call it, after a barrier.
template <typename Op, unsigned Warps, typename T>
__device__ T combine_warps(const T* warp_totals, T& block_total) {
  const unsigned lane = lane_id();
  const T own = lane < Warps ? warp_totals[lane] : Op::identity();
  const T inclusive = warp_inclusive_scan<Op>(own);
  block_total = __shfl_sync(all_lanes, inclusive, Warps - 1);
  return __shfl_sync(all_lanes, shift_to_exclusive<Op>(inclusive), warp_id() % Warps);
}

}  // namespace lapscope::workloads::scan
