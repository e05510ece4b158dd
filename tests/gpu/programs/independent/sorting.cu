#include "tests/gpu/programs/independent/programs.cuh"

#include <array>
#include <memory>
#include <thread>
#include <vector>

namespace independent {

// sort-service: four workers sort requests.
namespace {

constexpr int run_keys = 4096;
constexpr int sort_runs = 4;
constexpr int sort_keys = run_keys * sort_runs;

// Each block sorts one run in shared memory, with 1024 threads.
__global__ void bitonic_runs(unsigned* keys) {
  __shared__ unsigned own[run_keys];
  unsigned* run = keys + blockIdx.x * run_keys;
  for (unsigned i = threadIdx.x; i < run_keys; i += blockDim.x) own[i] = run[i];
  __syncthreads();
  for (unsigned size = 2; size <= run_keys; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      for (unsigned pair = threadIdx.x; pair < run_keys / 2; pair += blockDim.x) {
        const unsigned low = 2 * pair - (pair & (stride - 1));
        const bool up = (low & size) == 0;
        const unsigned a = own[low];
        const unsigned b = own[low + stride];
        if ((a > b) == up) {
          own[low] = b;
          own[low + stride] = a;
        }
      }
      __syncthreads();
    }
  }
  for (unsigned i = threadIdx.x; i < run_keys; i += blockDim.x) run[i] = own[i];
}

// Each thread finds the place of one key: it counts the smaller keys in the other runs.
__global__ void merge_runs(const unsigned* __restrict__ keys, unsigned* __restrict__ sorted) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= sort_keys) return;
  const int own = i / run_keys;
  const unsigned key = keys[i];
  int rank = i % run_keys;
  for (int run = 0; run < sort_runs; ++run) {
    if (run == own) continue;
    int low = 0;
    int high = run_keys;
    while (low < high) {
      const int middle = (low + high) / 2;
      const unsigned other = keys[run * run_keys + middle];
      if (other < key || (other == key && run < own))
        low = middle + 1;
      else
        high = middle;
    }
    rank += low;
  }
  sorted[rank] = key;
}

}  // namespace

Round sort_service(bool broken) {
  static constexpr unsigned requests = 24;
  struct Worker {
    cudaStream_t stream;
    unsigned* host_in;
    unsigned* host_out;
    unsigned* keys;
    unsigned* sorted;
    unsigned long long medians;
  };
  auto workers = kept(std::make_shared<std::array<Worker, 4>>());
  cudaStream_t shared = new_stream();
  unsigned seed = 0;
  for (Worker& worker : *workers) {
    worker.stream = broken ? shared : new_stream();
    worker.host_in = pinned<unsigned>(requests * sort_keys);
    worker.host_out = pinned<unsigned>(requests * sort_keys);
    worker.keys = on_device<unsigned>(sort_keys);
    worker.sorted = on_device<unsigned>(sort_keys);
    worker.medians = 0;
    for (unsigned i = 0; i < requests * sort_keys; ++i) worker.host_in[i] = pcg(i ^ pcg(seed));
    ++seed;
    watch("sorted", worker.host_out, requests * sort_keys * sizeof(unsigned));
    watch("medians", &worker.medians, sizeof worker.medians);
  }
  return [=] {
    const auto serve = [](Worker& worker) {
      constexpr std::size_t bytes = sort_keys * sizeof(unsigned);
      worker.medians = 0;
      for (unsigned request = 0; request < requests; ++request) {
        unsigned* out = worker.host_out + request * sort_keys;
        check(cudaMemcpyAsync(worker.keys, worker.host_in + request * sort_keys, bytes,
                              cudaMemcpyHostToDevice, worker.stream));
        bitonic_runs<<<sort_runs, 1024, 0, worker.stream>>>(worker.keys);
        launched();
        merge_runs<<<sort_keys / 256, 256, 0, worker.stream>>>(worker.keys, worker.sorted);
        launched();
        check(cudaMemcpyAsync(out, worker.sorted, bytes, cudaMemcpyDeviceToHost, worker.stream));
        check(cudaStreamSynchronize(worker.stream));
        worker.medians += out[sort_keys / 2];
      }
    };
    std::vector<std::thread> threads;
    for (Worker& worker : *workers) threads.emplace_back(serve, std::ref(worker));
    for (std::thread& thread : threads) thread.join();
  };
}

// radix-sort-chain: sorts one bit at a time, with three kernels for each bit.
namespace {

__global__ void split_count(const unsigned* __restrict__ keys, unsigned bit,
                            unsigned* __restrict__ ranks, unsigned* __restrict__ block_zeros) {
  __shared__ unsigned warp_zeros[32];
  const unsigned i = blockIdx.x * 1024 + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const bool zero = ((keys[i] >> bit) & 1U) == 0;
  const unsigned zeros = __ballot_sync(0xffffffffU, zero);
  if (lane == 0) warp_zeros[warp] = __popc(zeros);
  __syncthreads();
  if (warp == 0) {
    const unsigned own = warp_zeros[lane];
    unsigned sum = own;
    for (unsigned d = 1; d < 32; d *= 2) {
      const unsigned other = __shfl_up_sync(0xffffffffU, sum, d);
      if (lane >= d) sum += other;
    }
    warp_zeros[lane] = sum - own;
    if (lane == 31) block_zeros[blockIdx.x] = sum;
  }
  __syncthreads();
  ranks[i] = warp_zeros[warp] + __popc(zeros & ((1U << lane) - 1U));
}

// One block replaces 2048 counts by their exclusive prefix sums, and writes the total after them.
__global__ void scan_blocks(unsigned* counts) {
  __shared__ unsigned sums[1024];
  const unsigned t = threadIdx.x;
  const unsigned a = counts[2 * t];
  const unsigned b = counts[2 * t + 1];
  sums[t] = a + b;
  __syncthreads();
  for (unsigned d = 1; d < 1024; d *= 2) {
    const unsigned other = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += other;
    __syncthreads();
  }
  const unsigned before = sums[t] - a - b;
  counts[2 * t] = before;
  counts[2 * t + 1] = before + a;
  if (t == 1023) counts[2048] = sums[t];
}

__global__ void split_scatter(const unsigned* __restrict__ keys, unsigned bit,
                              const unsigned* __restrict__ ranks,
                              const unsigned* __restrict__ counts, unsigned* __restrict__ out) {
  const unsigned i = blockIdx.x * 1024 + threadIdx.x;
  const unsigned key = keys[i];
  const unsigned zeros_before = counts[blockIdx.x] + ranks[i];
  const bool zero = ((key >> bit) & 1U) == 0;
  out[zero ? zeros_before : counts[2048] + i - zeros_before] = key;
}

}  // namespace

Round radix_sort_chain(bool broken) {
  static constexpr unsigned blocks = 2048;
  static constexpr std::size_t n = blocks * 1024;
  static constexpr std::size_t batches = 6;
  static constexpr std::size_t bytes = n * sizeof(unsigned);
  unsigned* sources = random_words(batches * n, 101);
  unsigned* results = on_device<unsigned>(batches * n);
  unsigned* a = on_device<unsigned>(n);
  unsigned* b = on_device<unsigned>(n);
  unsigned* ranks = on_device<unsigned>(n);
  unsigned* counts = on_device<unsigned>(blocks + 1);
  watch("sorted", results, batches * bytes);
  cudaStream_t stream = new_stream();
  const auto sort = [=] {
    for (unsigned bit = 0; bit < 32; ++bit) {
      unsigned* from = bit % 2 == 0 ? a : b;
      unsigned* to = bit % 2 == 0 ? b : a;
      split_count<<<blocks, 1024, 0, stream>>>(from, bit, ranks, counts);
      launched();
      scan_blocks<<<1, 1024, 0, stream>>>(counts);
      launched();
      split_scatter<<<blocks, 1024, 0, stream>>>(from, bit, ranks, counts, to);
      launched();
    }
  };
  cudaGraphExec_t graph = broken ? nullptr : planted::captured(stream, sort);
  return [=] {
    for (std::size_t batch = 0; batch < batches; ++batch) {
      check(cudaMemcpyAsync(a, sources + batch * n, bytes, cudaMemcpyDeviceToDevice, stream));
      if (broken)
        sort();
      else
        check(cudaGraphLaunch(graph, stream));
      check(cudaMemcpyAsync(results + batch * n, a, bytes, cudaMemcpyDeviceToDevice, stream));
    }
    check(cudaStreamSynchronize(stream));
  };
}

}  // namespace independent
