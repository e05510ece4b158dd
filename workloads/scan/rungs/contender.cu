#include <algorithm>

#include "workloads/scan/rungs/tile.cuh"
#include "workloads/scan/rungs/tile_prefix.cuh"

namespace lapscope::workloads::scan {

// A barrier for `Threads` threads of the block, which call it with the same id.
template <unsigned Id, unsigned Threads>
__device__ void named_barrier() {
  __syncwarp();
  asm volatile("bar.sync %0, %1;" ::"n"(Id), "n"(Threads) : "memory");
}

// The state of a single-pass scan, without the arrays.
template <typename T>
struct Board {
  TileBoard board;
  const T* seed = nullptr;
};

// A block that scans one tile after the other. In turn i, the block does two things. First it loads
// its tile i into registers, scans the tile, and publishes the tile's total for other blocks. Then
// it waits for the prefix of its tile i - 1, and writes the results of tile i - 1. During a turn,
// an extra warp finds the prefix, and the next `stages` tiles are loaded into shared memory.
//
// A ticket has the number of a tile. One thread draws the tickets of a block. The thread draws a
// ticket when the load of the tile can begin. If there are more tiles than blocks, each block draws
// tickets until one is beyond the last tile. So all blocks together draw `tiles + gridDim.x`
// tickets.
//
// If there are as many blocks as tiles, each block draws exactly one ticket. If blocks drew more, a
// block could get two tiles, and a block that starts later would get no tile.
//
// There is no deadlock. The total of a tile waits for loads, and for prefixes of lower tiles of the
// same block. A prefix waits for totals of lower tiles, which belong to blocks that have started.
template <typename T>
class EarlyScan {
 public:
  using Loader = TileLoader<T>;
  static constexpr unsigned threads = Tile<T>::threads + warp_size;

  struct Shared {
    Ticket drawn[Loader::stages + 2];
    T warp_totals[2][Tile<T>::warps];
    T prefix[2];
  };

  __device__ EarlyScan(const Arrays<T>& arrays, const Board<T>& board, std::uint32_t tiles,
                       T* stages, Shared& shared)
      : arrays_(arrays),
        board_(board),
        tiles_(tiles),
        shared_(shared),
        loader_(arrays, stages),
        carried_(board.board.words, tiles, board.seed) {}

  __device__ void run() {
#pragma unroll
    for (unsigned turn = 0; turn < Loader::stages; ++turn) {
      if (draws()) draw(turn, ask());
      __syncthreads();
      if (works()) loader_.start(turn, drawn(turn).tile);
    }
    if (works()) {
      work();
    } else {
      find_prefixes();
    }
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;

  __device__ static bool works() { return threadIdx.x < Tile<T>::threads; }
  // Returns whether this thread draws the tickets. The first thread of the last warp draws them,
  // because the last warp has no other task: it neither publishes totals nor finds prefixes.
  __device__ static bool draws() { return threadIdx.x == Tile<T>::threads - warp_size; }
  __device__ Ticket& drawn(unsigned turn) { return shared_.drawn[turn % (Loader::stages + 2)]; }

  __device__ std::uint64_t ask() { return exhausted_ ? 0 : ask_for_ticket(board_.board.counter); }

  __device__ void draw(unsigned turn, std::uint64_t answer) {
    const bool once = gridDim.x == tiles_;
    Ticket ticket{none, 0};
    if (!exhausted_) {
      const std::uint32_t last = once ? tiles_ - 1 : tiles_ + gridDim.x - 1;
      ticket = take_ticket(answer, board_.board.counter, last);
    }
    exhausted_ = once || ticket.tile >= tiles_;
    drawn(turn) = ticket.tile < tiles_ ? ticket : Ticket{none, 0};
  }

  __device__ void work() {
    const TileStates<T> states(board_.board.words);
    Tile<T> waiting;
    T left_of_waiting = T{0};
    std::uint32_t waiting_tile = none;
    std::uint64_t answer = draws() ? ask() : 0;
    for (unsigned turn = 0;; ++turn) {
      const Ticket ticket = drawn(turn);
      Tile<T> tile;
      T left_in_tile = T{0};
      if (ticket.tile != none) {
        loader_.finish(turn, ticket.tile, tile);
        T* const warp_totals = shared_.warp_totals[turn % 2];
        const T warp_total = tile.scan_warp(arrays_.exclusive);
        if (lane_id() == 0) warp_totals[warp_id()] = warp_total;
        if (draws()) draw(turn + Loader::stages, answer);
        named_barrier<1, Tile<T>::threads>();
        T total;
        left_in_tile = sum_warps<Tile<T>::warps>(warp_totals, total);
        if (threadIdx.x == 0) states.publish(ticket.tile, total, Tags(ticket.epoch).aggregate);
        loader_.start(turn + Loader::stages, drawn(turn + Loader::stages).tile);
      }
      if (turn > 0) named_barrier<2, threads>();
      // The answer to ask() is needed only after the next tile was scanned.
      if (draws()) answer = ask();
      if (turn > 0) {
        const T left = shared_.prefix[(turn - 1) % 2] + left_of_waiting;
        waiting.store(arrays_, std::uint64_t{waiting_tile} * Tile<T>::size, left);
      }
      if (ticket.tile == none) break;
      waiting = tile;
      waiting_tile = ticket.tile;
      left_of_waiting = left_in_tile;
    }
  }

  __device__ void find_prefixes() {
    for (unsigned turn = 0; drawn(turn).tile != none; ++turn) {
      const T prefix = carried_.prefix_of(drawn(turn));
      if (lane_id() == 0) shared_.prefix[turn % 2] = prefix;
      named_barrier<2, threads>();
    }
  }

  const Arrays<T>& arrays_;
  const Board<T>& board_;
  std::uint32_t tiles_;
  Shared& shared_;
  Loader loader_;
  CarriedPrefix<T> carried_;
  bool exhausted_ = false;
};

// The grid has as many blocks as have room on the device, but at most one for each tile.
template <typename T>
__global__ void __launch_bounds__(EarlyScan<T>::threads, 2)
    scan_early(Arrays<T> arrays, Board<T> board, std::uint32_t tiles) {
  // The tiles are aligned to the lines of shared memory. No row of a warp therefore crosses a line.
  // With rows that crossed a line, the scan was a tenth slower.
  extern __shared__ __align__(128) uint4 dynamic_shared[];
  __shared__ typename EarlyScan<T>::Shared shared;
  EarlyScan<T>(arrays, board, tiles, reinterpret_cast<T*>(dynamic_shared), shared).run();
}

__global__ void take_carry(const std::uint32_t* last, std::uint32_t* seed) { *seed = *last; }

namespace {

// Returns how many blocks have room on the device. Sets the kernel's size of shared memory.
template <typename T>
unsigned count_resident_blocks() {
  constexpr std::size_t shared_bytes = TileLoader<T>::shared_bytes;
  check(cudaFuncSetAttribute(scan_early<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared_bytes)),
        "reserve the shared memory of the kernel scan_early");
  int device = 0;
  int multiprocessors = 0;
  int per_multiprocessor = 0;
  check(cudaGetDevice(&device), "find the current device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "count the multiprocessors");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, scan_early<T>,
                                                      static_cast<int>(EarlyScan<T>::threads),
                                                      shared_bytes),
        "find the occupancy of the kernel scan_early");
  return static_cast<unsigned>(std::max(1, multiprocessors * per_multiprocessor));
}

template <typename T>
void launch(const ScanCall& call) {
  static const unsigned resident = count_resident_blocks<T>();
  const auto tiles = static_cast<std::uint32_t>(tiles_of(call.n, Tile<T>::size));
  // A word per tile, and one more per segment.
  const std::uint64_t words = std::uint64_t{tiles} + tiles / CarriedPrefix<T>::segment + 1;
  const Board<T> board{call.workspace->board(words, TileStates<T>::word_bytes, call.stream),
                       static_cast<const T*>(call.seed)};
  scan_early<T><<<std::min(resident, tiles), EarlyScan<T>::threads, TileLoader<T>::shared_bytes,
                  call.stream>>>(arrays_of<T>(call), board, tiles);
  check(cudaGetLastError(), "launch the kernel scan_early");
}

}  // namespace

const Rung contender{
    .name = "contender",
    .change =
        "one kernel reads and writes once: blocks stay, publish the next total before they wait "
        "for a prefix, and carry their own on",
    .scan = [](const ScanCall& call) {
      if (call.n == 0) return;
      with_type(call.type, [&]<typename T>(T) { launch<T>(call); });
    }};

void hand_on_carry(const std::uint32_t* last, std::uint32_t* seed, cudaStream_t stream) {
  take_carry<<<1, 1, 0, stream>>>(last, seed);
  check(cudaGetLastError(), "launch the kernel take_carry");
}

}  // namespace lapscope::workloads::scan
