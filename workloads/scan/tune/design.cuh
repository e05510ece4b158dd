#pragma once

#include <string>
#include <type_traits>

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

template <typename Design>
void scan_as(const ScanCall& call) {
  with_problem(Problems<U32<Sum>, U64<Sum>>{}, call.combination,
               [&]<typename P>(P) { Design::template launch<P>(call); });
}

template <typename Design>
Candidate candidate() {
  using Look = typename Design::Look;
  return {Design::name() + " look " + look_name(static_cast<Look*>(nullptr)), scan_as<Design>,
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

template <unsigned Threads, unsigned Rows, typename LookType, unsigned Ahead, unsigned Blocks,
          Caching Stores = Caching::streaming>
struct Prefetching {
  using Look = LookType;
  static std::string name() {
    return shape("prefetch", Threads, Rows, Blocks) + " ahead " + std::to_string(Ahead) +
           caching_name(Caching::normal, Stores);
  }
  template <typename P>
  static void launch(const ScanCall& call) {
    using Tile = TileRegisters<P, Threads, Rows, Caching::streaming, Stores>;
    launch_prefetching<Tile, Look, Ahead, Blocks>(call);
  }
};

template <unsigned Threads, unsigned Rows, typename LookType, unsigned Stages, unsigned Blocks,
          Caching Stores = Caching::streaming>
struct Bulk {
  using Look = LookType;
  static std::string name() {
    return shape("bulk", Threads, Rows, Blocks) + " stages " + std::to_string(Stages) +
           caching_name(Caching::normal, Stores);
  }
  template <typename P>
  static void launch(const ScanCall& call) {
    using Tile = TileRegisters<P, Threads, Rows, Caching::streaming, Stores>;
    launch_bulk<Tile, Look, Stages, Blocks>(call);
  }
};

}  // namespace lapscope::workloads::scan
