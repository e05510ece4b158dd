// Memory-bound kernels: a map, a reduction, and random reads.

#include <vector>

#include "workloads/harness/affine.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/usual_kinds.h"

namespace lapscope::workloads {
namespace {

// The size of the memory that kernels read sequentially. It is several times the L2 cache.
constexpr std::size_t region_vectors = std::size_t{1} << 24;
constexpr std::size_t region_bytes = region_vectors * sizeof(uint4);
// The size of the memory that kernels read at random addresses.
constexpr unsigned table_bits = 24;
constexpr std::size_t table_words = std::size_t{1} << table_bits;

// Memory is filled byte by byte with 1.
constexpr std::uint32_t filled_word = 0x01010101;

constexpr unsigned vectors_at_once = 2;
constexpr unsigned reads_at_once = 4;
constexpr unsigned memory_threads = 1024;
constexpr unsigned threads_of_reads = 256;

// Adds the sum of a warp's values to `*sum`.
__device__ void add_to(std::uint32_t* sum, std::uint32_t value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    value += __shfl_down_sync(0xFFFFFFFFU, value, static_cast<unsigned>(lanes));
  }
  if (threadIdx.x % 32 == 0) atomicAdd(sum, value);
}

__device__ uint4 mapped(uint4 value, AffineMap map) {
  return {map.multiplier * value.x + map.increment, map.multiplier * value.y + map.increment,
          map.multiplier * value.z + map.increment, map.multiplier * value.w + map.increment};
}

}  // namespace

// These kernels are outside the unnamed namespace, so that their names in a trace are short.
__global__ void __launch_bounds__(memory_threads)
    map_elements(const uint4* from, uint4* to, std::size_t first, AffineMap map,
                 std::uint32_t work) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = first + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::uint32_t k = 0; k < work; ++k, i += vectors_at_once * stride) {
    uint4 values[vectors_at_once];
#pragma unroll
    for (unsigned v = 0; v < vectors_at_once; ++v) {
      values[v] = from[(i + v * stride) % region_vectors];
    }
#pragma unroll
    for (unsigned v = 0; v < vectors_at_once; ++v) {
      to[(i + v * stride) % region_vectors] = mapped(values[v], map);
    }
  }
}

__global__ void __launch_bounds__(memory_threads)
    add_up_elements(const uint4* from, std::uint32_t* sum, std::size_t first, std::uint32_t work) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = first + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint32_t total = 0;
  for (std::uint32_t k = 0; k < work; ++k, i += vectors_at_once * stride) {
#pragma unroll
    for (unsigned v = 0; v < vectors_at_once; ++v) {
      const uint4 value = from[(i + v * stride) % region_vectors];
      total += value.x + value.y + value.z + value.w;
    }
  }
  add_to(sum, total);
}

__global__ void read_at_random(const std::uint32_t* table, std::uint32_t* sum, AffineMap map,
                               std::uint32_t work) {
  std::uint32_t at = (blockIdx.x * blockDim.x + threadIdx.x) * map.multiplier + map.increment;
  std::uint32_t total = 0;
  for (std::uint32_t k = 0; k < work; ++k) {
#pragma unroll
    for (unsigned r = 0; r < reads_at_once; ++r) {
      at = map.multiplier * at + map.increment;
      total += table[at >> (32 - table_bits)];
    }
  }
  add_to(sum, total);
}

namespace {

// A region of memory for each lane. A launch uses the data that follows the data of the previous
// launch, so its data is not in a cache.
class Regions {
 public:
  explicit Regions(std::size_t lanes) : next_(lanes, 0) {
    for (std::size_t i = 0; i < lanes; ++i) {
      regions_.emplace_back(region_vectors);
      fill(regions_.back().data(), 1, region_bytes);
    }
  }
  uint4* of(std::size_t lane) const { return regions_[lane].data(); }
  std::size_t advance(std::size_t lane, std::size_t vectors) {
    const std::size_t first = next_[lane];
    next_[lane] = (first + vectors) % region_vectors;
    return first;
  }

 private:
  std::vector<DeviceBuffer<uint4>> regions_;
  std::vector<std::size_t> next_;
};

std::size_t vectors_of(unsigned blocks, std::uint32_t work) {
  return std::size_t{blocks} * memory_threads * vectors_at_once * work;
}

class MapKernel : public UsualKernel {
 public:
  MapKernel(unsigned blocks, std::size_t lanes)
      : blocks_(blocks), from_(lanes), to_(lanes), last_(lanes, 0) {
    load(map_elements);
  }
  void launch(std::size_t lane, std::uint32_t work, cudaStream_t stream) override {
    const std::size_t vectors = vectors_of(blocks_, work);
    const std::size_t first = from_.advance(lane, vectors);
    last_[lane] = (first + vectors - 1) % region_vectors;
    map_elements<<<blocks_, memory_threads, 0, stream>>>(from_.of(lane), to_.of(lane), first, step,
                                                         work);
    require_launched();
  }
  Works works() const override { return {16, 96, 1U << 20}; }
  void verify() override {
    for (std::size_t lane = 0; lane < last_.size(); ++lane) {
      require_equal(fetched(to_.of(lane) + last_[lane]).w, step(filled_word), "a mapped element");
    }
  }

 private:
  unsigned blocks_;
  Regions from_;
  Regions to_;
  std::vector<std::size_t> last_;  // The last vector written by each lane.
};

// A sum for each lane, and the value that it must have after all launches.
class Sums {
 public:
  explicit Sums(std::size_t lanes) : expected_(lanes, 0), sums_(lanes) {
    fill(sums_.data(), 0, lanes * sizeof(std::uint32_t));
  }
  std::uint32_t* of(std::size_t lane) const { return sums_.data() + lane; }
  void expect(std::size_t lane, std::size_t words) {
    expected_[lane] += static_cast<std::uint32_t>(words) * filled_word;
  }
  void verify() const {
    for (std::size_t lane = 0; lane < expected_.size(); ++lane) {
      require_equal(fetched(of(lane)), expected_[lane], "a sum");
    }
  }

 private:
  std::vector<std::uint32_t> expected_;
  DeviceBuffer<std::uint32_t> sums_;
};

class ReductionKernel : public UsualKernel {
 public:
  ReductionKernel(unsigned blocks, std::size_t lanes)
      : blocks_(blocks), from_(lanes), sums_(lanes) {
    load(add_up_elements);
  }
  void launch(std::size_t lane, std::uint32_t work, cudaStream_t stream) override {
    const std::size_t vectors = vectors_of(blocks_, work);
    sums_.expect(lane, 4 * vectors);
    add_up_elements<<<blocks_, memory_threads, 0, stream>>>(from_.of(lane), sums_.of(lane),
                                                            from_.advance(lane, vectors), work);
    require_launched();
  }
  Works works() const override { return {24, 144, 1U << 20}; }
  void verify() override { sums_.verify(); }

 private:
  unsigned blocks_;
  Regions from_;
  Sums sums_;
};

class ReadsKernel : public UsualKernel {
 public:
  ReadsKernel(unsigned blocks, std::size_t lanes)
      : blocks_(blocks), table_(table_words), sums_(lanes) {
    load(read_at_random);
    fill(table_.data(), 1, table_words * sizeof(std::uint32_t));
  }
  void launch(std::size_t lane, std::uint32_t work, cudaStream_t stream) override {
    sums_.expect(lane, std::size_t{blocks_} * threads_of_reads * reads_at_once * work);
    read_at_random<<<blocks_, threads_of_reads, 0, stream>>>(table_.data(), sums_.of(lane), step,
                                                             work);
    require_launched();
  }
  Works works() const override { return {32, 192, 1U << 20}; }
  void verify() override { sums_.verify(); }

 private:
  unsigned blocks_;
  DeviceBuffer<std::uint32_t> table_;
  Sums sums_;
};

}  // namespace

std::unique_ptr<UsualKernel> make_map(unsigned blocks, std::size_t lanes) {
  return std::make_unique<MapKernel>(blocks, lanes);
}

std::unique_ptr<UsualKernel> make_reduction(unsigned blocks, std::size_t lanes) {
  return std::make_unique<ReductionKernel>(blocks, lanes);
}

std::unique_ptr<UsualKernel> make_reads(unsigned blocks, std::size_t lanes) {
  return std::make_unique<ReadsKernel>(blocks, lanes);
}

}  // namespace lapscope::workloads
