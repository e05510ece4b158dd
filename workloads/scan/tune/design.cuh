#pragma once

#include <string>
#include <type_traits>

#include "workloads/harness/cuda_check.h"
#include "workloads/scan/device/bulk_loader.cuh"
#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/single_pass_launch.cuh"
#include "workloads/scan/tune/candidates.h"

namespace lapscope::workloads::scan {

struct NoLook {
  static constexpr bool publishes_aggregate = false;
  template <typename Op, typename T>
  __device__ static T find(const TileStates<T>&, std::int64_t, Tags, T) {
    return Op::identity();
  }
};

// nvcc cannot evaluate the checked format strings of fmt.
inline std::string shape(std::string_view design, unsigned threads, unsigned rows,
                         unsigned blocks) {
  return std::string(design) + " " + std::to_string(threads) + "x" + std::to_string(rows) + " b" +
         std::to_string(blocks);
}

template <unsigned Window, unsigned PauseNs>
std::string look_name(WarpLook<Window, PauseNs>*) {
  return "w" + std::to_string(Window) + (PauseNs == 0 ? "" : "/" + std::to_string(PauseNs) + "ns");
}
inline std::string look_name(NoLook*) { return "none"; }

inline std::string caching_name(Caching loads, Caching stores) {
  const auto name = [](Caching caching) { return caching == Caching::streaming ? "cs" : "-"; };
  return std::string(" ld ") + name(loads) + " st " + name(stores);
}

using BothSums = Problems<U32<Sum>, U64<Sum>>;
using WideSum = Problems<U64<Sum>>;

template <typename Design, typename Sums>
void scan_as(const ScanCall& call) {
  with_problem(Sums{}, call.combination, [&]<typename P>(P) { Design::template launch<P>(call); });
}

template <typename Design, typename Sums = BothSums>
Candidate candidate() {
  using Look = typename Design::Look;
  return {Design::name() + " look " + look_name(static_cast<Look*>(nullptr)), scan_as<Design, Sums>,
          !std::is_same_v<Look, NoLook>};
}

template <unsigned Threads, unsigned Rows, typename LookType, unsigned Blocks,
          Caching Loads = Caching::streaming, Caching Stores = Caching::streaming>
struct Classic {
  using Look = LookType;
  static std::string name() {
    return shape("classic", Threads, Rows, Blocks) + caching_name(Loads, Stores);
  }
  template <typename P>
  static void launch(const ScanCall& call) {
    launch_single_pass<TileRegisters<P, Threads, Rows, Loads, Stores>, Look, Blocks>(call);
  }
};

// The ceiling: what lies to the left comes for nothing.
struct FreePrefix {
  static constexpr unsigned segment = 1U << 31;
  template <typename P>
  class Resolver {
   public:
    __device__ Resolver(const Board<P>&, std::uint32_t) {}
    __device__ typename P::Acc prefix_of(Ticket) { return P::Op::identity(); }
  };
};

inline std::string prefix_name(FreePrefix*) { return "free"; }
template <unsigned Window, unsigned PauseNs>
std::string prefix_name(CarriedPrefix<Window, PauseNs>*) {
  return "carried " + look_name(static_cast<WarpLook<Window, PauseNs>*>(nullptr));
}
template <unsigned Window, unsigned Segment, unsigned PauseNs>
std::string prefix_name(SegmentPrefix<Window, Segment, PauseNs>*) {
  return "seg" + std::to_string(Segment) + " " +
         look_name(static_cast<WarpLook<Window, PauseNs>*>(nullptr));
}

// Cycles in a part of the kernel, and of the whole, summed over the blocks. One copy for each file
// of candidates, which also reads it.
static __device__ unsigned long long probed_cycles[4];

__device__ inline unsigned cycle() {
  unsigned now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
  return now;
}

// Part 0 is in the first warp, part 1 in the last one. Counts in shared memory: the kernels have no
// register to spare, and would be others with a counter in one.
template <unsigned Part>
class CycleProbe {
 public:
  __device__ CycleProbe() {
    if (!counts()) return;
    started() = cycle();
    inside() = 0;
  }
  __device__ void begin() {
    if (counts()) inside() = inside() - cycle();
  }
  __device__ void end() {
    if (counts()) inside() = inside() + cycle();
  }
  __device__ void report() {
    if (!counts()) return;
    atomicAdd(&probed_cycles[2 * Part], static_cast<unsigned long long>(inside()));
    atomicAdd(&probed_cycles[2 * Part + 1], static_cast<unsigned long long>(cycle() - started()));
  }

 private:
  __device__ static bool counts() {
    return threadIdx.x == (Part == 0 ? 0 : blockDim.x - warp_size);
  }
  __device__ static volatile unsigned& inside() {
    __shared__ volatile unsigned cycles;
    return cycles;
  }
  __device__ static volatile unsigned& started() {
    __shared__ volatile unsigned at;
    return at;
  }
};

// Of everything since the last call.
static Shares take_shares() {
  unsigned long long cycles[4] = {};
  check(cudaMemcpyFromSymbol(cycles, probed_cycles, sizeof cycles), "read the cycles");
  const unsigned long long zero[4] = {};
  check(cudaMemcpyToSymbol(probed_cycles, zero, sizeof zero), "reset the cycles");
  const auto share = [&](int part) {
    const auto all = static_cast<double>(cycles[2 * part + 1]);
    return all > 0 ? static_cast<double>(cycles[2 * part]) / all : 0;
  };
  return {share(0), share(1)};
}

template <unsigned Threads, unsigned Rows, unsigned Blocks, unsigned Stages, typename PrefixesType,
          Caching Stores = Caching::normal, Resolves Who = Resolves::extra_warp,
          template <typename, unsigned> typename Loader = AsyncLoader>
struct Early {
  using Prefixes = PrefixesType;
  static constexpr bool bulk = std::is_same_v<Loader<TileRegisters<U32<Sum>, 32, 1>, 1>,
                                              BulkLoader<TileRegisters<U32<Sum>, 32, 1>, 1>>;
  static std::string name() {
    return shape(bulk ? "bulk" : "early", Threads, Rows, Blocks) + " s" + std::to_string(Stages) +
           " " + prefix_name(static_cast<Prefixes*>(nullptr)) +
           (Who == Resolves::extra_warp ? "" : " first") +
           (Stores == Caching::streaming ? " st cs" : "");
  }
  template <typename P>
  static void launch(const ScanCall& call) {
    using Tile = TileRegisters<P, Threads, Rows, Caching::normal, Stores>;
    launch_early<EarlyScan<Tile, Loader<Tile, Stages>, Prefixes, Who, CycleProbe<0>, CycleProbe<1>>,
                 Blocks>(call);
  }
};

template <typename Design, typename Sums = BothSums>
Candidate early_candidate() {
  return {Design::name(), scan_as<Design, Sums>,
          !std::is_same_v<typename Design::Prefixes, FreePrefix>, take_shares};
}

}  // namespace lapscope::workloads::scan
