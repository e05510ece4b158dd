// Kernels that scan in the shared memory of one block, by steps or by a tree. Other kernels scan
// arrays of any size, in tiles.

#include "workloads/scan/rungs/device.cuh"

namespace lapscope::workloads::scan {

inline constexpr unsigned steps_threads = 1024;

// Step d adds to each element the element that is 2^d places to its left (Hillis and Steele 1986).
// Two copies of the elements swap roles after each step. With one copy, a thread could overwrite an
// element before its neighbour has read the old value.
template <typename T>
__global__ void scan_block_hillis_steele(Arrays<T> arrays) {
  __shared__ T copies[2][steps_threads];
  const unsigned i = threadIdx.x;
  unsigned now = 0;
  // An exclusive scan shifts the input right by one element.
  const unsigned from = arrays.exclusive ? i - 1 : i;
  copies[now][i] = from < arrays.n ? arrays.in[from] : T{0};
  for (unsigned distance = 1; distance < arrays.n; distance *= 2) {
    __syncthreads();
    const T own = copies[now][i];
    copies[1 - now][i] = i >= distance ? copies[now][i - distance] + own : own;
    now = 1 - now;
  }
  // If the scan is in place, all input must be read before the first result is written.
  __syncthreads();
  if (i < arrays.n) arrays.out[i] = copies[now][i];
}

// Element i is at index i. At the upper levels of the tree, a warp accesses only a few of the 32
// banks of shared memory. So its threads must wait for each other.
struct PlainLayout {
  __device__ static constexpr unsigned at(unsigned i) { return i; }
};

// After each row of 32 elements comes an unused element. Each row therefore begins one bank later
// than the previous row. So threads that access elements 32 apart use different banks.
struct PaddedLayout {
  __device__ static constexpr unsigned at(unsigned i) { return i + i / warp_size; }
};

// Work-efficient exclusive scan of 2 * Threads elements in shared memory (Blelloch 1990; Harris,
// Sengupta and Owens 2007). An up-sweep computes the total, and a down-sweep computes the results.
// For n elements, they make 2n additions. Returns the total. All threads must call this function,
// after the elements were written.
template <unsigned Threads, typename Layout, typename T>
__device__ T scan_tree(T* tree) {
  constexpr unsigned size = 2 * Threads;
  const auto node = [&](unsigned i, unsigned offset) -> T& {
    return tree[Layout::at(offset * i - 1)];
  };
  const unsigned left = 2 * threadIdx.x + 1;

  unsigned offset = 1;
  for (unsigned nodes = Threads; nodes > 0; nodes /= 2, offset *= 2) {
    __syncthreads();
    if (threadIdx.x < nodes) node(left + 1, offset) = node(left, offset) + node(left + 1, offset);
  }
  __syncthreads();
  const T total = tree[Layout::at(size - 1)];
  __syncthreads();
  if (threadIdx.x == 0) tree[Layout::at(size - 1)] = T{0};

  for (unsigned nodes = 1; nodes < size; nodes *= 2) {
    offset /= 2;
    __syncthreads();
    if (threadIdx.x < nodes) {
      const T own = node(left, offset);
      const T from_left = node(left + 1, offset);
      node(left, offset) = from_left;
      node(left + 1, offset) = from_left + own;
    }
  }
  __syncthreads();
  return total;
}

// Each block scans a tile of 2 * Threads elements. A thread has two elements, which are half a tile
// apart. Neighbouring threads therefore read neighbouring addresses. If `totals` is not null,
// writes the sum of each tile to it.
template <typename T, unsigned Threads, typename Layout>
__global__ void __launch_bounds__(Threads) scan_tiles_tree(Arrays<T> arrays, T* totals) {
  constexpr unsigned size = 2 * Threads;
  __shared__ T tree[size + size / warp_size];
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * size + threadIdx.x;
  T own[2];
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint64_t i = begin + half * Threads;
    own[half] = i < arrays.n ? arrays.in[i] : T{0};
    tree[Layout::at(half * Threads + threadIdx.x)] = own[half];
  }
  const T total = scan_tree<Threads, Layout>(tree);
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint64_t i = begin + half * Threads;
    const T left = tree[Layout::at(half * Threads + threadIdx.x)];
    if (i < arrays.n) arrays.out[i] = arrays.exclusive ? left : left + own[half];
  }
  if (totals != nullptr && threadIdx.x == 0) totals[blockIdx.x] = total;
}

// Adds to each result the sum of all tiles to the left of its tile.
template <typename T, unsigned Threads>
__global__ void __launch_bounds__(Threads) propagate_tree(Arrays<T> arrays, const T* lefts) {
  const T left = lefts[blockIdx.x];
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint64_t i = (std::uint64_t{blockIdx.x} * 2 + half) * Threads + threadIdx.x;
    if (i < arrays.n) arrays.out[i] = left + arrays.out[i];
  }
}

namespace {

constexpr unsigned block_threads = 1024;
constexpr unsigned tile_threads = 512;
constexpr std::uint64_t tile_size = 2 * tile_threads;

void scan_block_by_steps(const ScanCall& call) {
  if (call.n == 0) return;
  with_type(call.type, [&]<typename T>(T) {
    scan_block_hillis_steele<T><<<1, steps_threads, 0, call.stream>>>(arrays_of<T>(call));
  });
  check(cudaGetLastError(), "launch the kernel scan_block_hillis_steele");
}

// Two rungs use this function. They differ only in the layout of shared memory.
template <typename Layout>
void scan_block_by_tree(const ScanCall& call) {
  if (call.n == 0) return;
  with_type(call.type, [&]<typename T>(T) {
    scan_tiles_tree<T, block_threads, Layout>
        <<<1, block_threads, 0, call.stream>>>(arrays_of<T>(call), nullptr);
  });
  check(cudaGetLastError(), "launch the kernel scan_tiles_tree");
}

// Scans each tile. If there are several tiles, calls itself to scan the totals of the tiles. Then
// adds the scanned totals to the results.
//
//   n elements ── scan ──────────────────────────── propagate ──► results
//       └► n / 1024 totals ── scan ──── propagate ──┘
//               └► n / 1024² totals ── scan ──┘
template <typename T>
void scan_level(const Arrays<T>& arrays, T* totals, cudaStream_t stream) {
  const auto tiles = static_cast<unsigned>(tiles_of(arrays.n, tile_size));
  scan_tiles_tree<T, tile_threads, PaddedLayout>
      <<<tiles, tile_threads, 0, stream>>>(arrays, tiles == 1 ? nullptr : totals);
  check(cudaGetLastError(), "launch the kernel scan_tiles_tree");
  if (tiles == 1) return;
  scan_level<T>({.in = totals, .out = totals, .n = tiles, .exclusive = true}, totals + tiles,
                stream);
  propagate_tree<T, tile_threads><<<tiles, tile_threads, 0, stream>>>(arrays, totals);
  check(cudaGetLastError(), "launch the kernel propagate_tree");
}

void scan_by_levels(const ScanCall& call) {
  if (call.n == 0) return;
  std::uint64_t totals = 0;
  for (std::uint64_t n = call.n; n > tile_size;) totals += n = tiles_of(n, tile_size);
  with_type(call.type, [&]<typename T>(T) {
    auto* const room = static_cast<T*>(call.workspace->scratch(totals * sizeof(T)));
    scan_level(arrays_of<T>(call), room, call.stream);
  });
}

}  // namespace

const Rung block_hillis_steele{.name = "block-hillis-steele",
                               .change =
                                   "log2(n) steps in the shared memory of one block; "
                                   "n log2(n) additions",
                               .scan = scan_block_by_steps,
                               .max_n = steps_threads};

const Rung block_tree{.name = "block-tree",
                      .change =
                          "up-sweep and down-sweep in one block: 2n additions, but bank "
                          "conflicts",
                      .scan = scan_block_by_tree<PlainLayout>,
                      .max_n = 2 * block_threads};

const Rung block_tree_padded{
    .name = "block-tree-padded",
    .change = "the same, with an unused element after every 32 against bank conflicts",
    .scan = scan_block_by_tree<PaddedLayout>,
    .max_n = 2 * block_threads};

const Rung scan_then_propagate{
    .name = "scan-then-propagate",
    .change = "scans every tile, scans the totals of the tiles, adds them: any n",
    .scan = scan_by_levels};

}  // namespace lapscope::workloads::scan
