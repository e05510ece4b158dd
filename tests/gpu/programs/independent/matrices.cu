#include "tests/gpu/programs/independent/programs.cuh"
#include "workloads/harness/blas.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace independent {

// batched-matmul-scratch: multiplies small matrices, split along k. The split needs scratch memory.
namespace {

// Row-major. Block (x, y, z) computes a tile of partial product z, from k = z * per_split on.
__global__ void matmul_split(const float* __restrict__ a, const float* __restrict__ b,
                             float* __restrict__ out, int m, int n, int k, int per_split,
                             float scale) {
  __shared__ float tile_a[32][33];
  __shared__ float tile_b[32][33];
  const int tx = static_cast<int>(threadIdx.x);
  const int ty = static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * 32 + tx;
  const int row = static_cast<int>(blockIdx.y) * 32 + ty;
  const int begin = static_cast<int>(blockIdx.z) * per_split;
  float sum = 0.0F;
  for (int at = begin; at < begin + per_split; at += 32) {
    tile_a[ty][tx] = a[row * k + at + tx];
    tile_b[ty][tx] = b[(at + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < 32; ++i) sum += tile_a[ty][i] * tile_b[i][tx];
    __syncthreads();
  }
  out[(static_cast<int>(blockIdx.z) * m + row) * n + column] = sum * scale;
}

__global__ void sum_splits(const float* __restrict__ parts, float* __restrict__ out, int count,
                           int splits) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  float sum = 0.0F;
  for (int split = 0; split < splits; ++split) sum += parts[split * count + i];
  out[i] = sum;
}

}  // namespace

Round batched_matmul_scratch(bool broken) {
  static constexpr int size = 128;
  static constexpr int depth = 8192;
  static constexpr int splits = 2;
  static constexpr std::size_t items = 96;
  static constexpr std::size_t inputs = 8;
  static constexpr std::size_t input = static_cast<std::size_t>(size) * depth;
  static constexpr std::size_t result = static_cast<std::size_t>(size) * size;
  float* a = random_floats(inputs * input, 31);
  float* b = random_floats(inputs * input, 32);
  float* out = on_device<float>(items * result);
  watch("products", out, items * result * sizeof(float));
  std::array<cudaStream_t, 4> streams{new_stream(), new_stream(), new_stream(), new_stream()};
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::uint64_t keep = UINT64_MAX;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  int no = 0;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &no));
  return [=] {
    for (std::size_t item = 0; item < items; ++item) {
      cudaStream_t stream = streams[item % streams.size()];
      float* scratch = nullptr;
      if (broken)
        check(cudaMalloc(&scratch, splits * result * sizeof(float)));
      else
        check(cudaMallocAsync(&scratch, splits * result * sizeof(float), stream));
      matmul_split<<<dim3(size / 32, size / 32, splits), dim3(32, 32), 0, stream>>>(
          a + item % inputs * input, b + item % inputs * input, scratch, size, size, depth,
          depth / splits, 1.0F);
      launched();
      sum_splits<<<size * size / 256, 256, 0, stream>>>(scratch, out + item * result, size * size,
                                                        splits);
      launched();
      if (broken)
        check(cudaFree(scratch));
      else
        check(cudaFreeAsync(scratch, stream));
    }
    for (cudaStream_t stream : streams) check(cudaStreamSynchronize(stream));
  };
}

// control-shuffle-between: the host shuffles data between launches, but the GPU always has work.

Round control_shuffle_between(bool broken) {
  static constexpr int size = 1536;
  static constexpr std::size_t count = static_cast<std::size_t>(size) * size;
  static constexpr std::size_t steps = 8;
  float* weights = random_floats(count, 141);
  float* first = random_floats(count, 142);
  std::array<float*, 2> x{on_device<float>(count), on_device<float>(count)};
  auto order = kept(std::make_shared<std::vector<unsigned>>(20000));
  watch("x", x[0], count * sizeof(float));
  watch("order", order->data(), order->size() * sizeof(unsigned));
  cudaStream_t stream = new_stream();
  return [=] {
    std::mt19937 random(1);
    std::iota(order->begin(), order->end(), 0U);
    const auto shuffle = [&] { std::shuffle(order->begin(), order->end(), random); };
    check(cudaMemcpyAsync(x[0], first, count * sizeof(float), cudaMemcpyDeviceToDevice, stream));
    for (std::size_t step = 0; step < steps; ++step) {
      matmul_split<<<dim3(size / 32, size / 32, 1), dim3(32, 32), 0, stream>>>(
          weights, x[step % 2], x[(step + 1) % 2], size, size, size, size,
          2.0F / static_cast<float>(size));
      launched();
      if (broken) shuffle();
    }
    if (!broken)
      for (std::size_t step = 0; step < steps; ++step) shuffle();
    check(cudaStreamSynchronize(stream));
  };
}

// gemm-service: three workers answer requests with a GEMM, a bias and a small copy to the host.
namespace {

__global__ void add_bias_relu(float* values, const float* bias, int rows, int columns) {
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < rows * columns;
       i += stride)
    values[i] = fmaxf(values[i] * 0.01F + bias[i % rows] - 0.5F, 0.0F);
}

}  // namespace

Round gemm_service(bool broken) {
  static constexpr int size = 2048;
  static constexpr int workers = 3;
  static constexpr int requests = 8;
  static constexpr std::size_t count = static_cast<std::size_t>(size) * size;
  struct Worker {
    cudaStream_t stream = nullptr;
    lapscope::workloads::Blas::Handle handle = nullptr;
    std::array<float*, 2> inputs{};
    float* output = nullptr;
    float* answers = nullptr;
  };
  auto blas = std::make_shared<lapscope::workloads::Blas>();
  auto all = std::make_shared<std::array<Worker, workers>>();
  float* weights = random_floats(count, 1);
  float* bias = random_floats(size, 2);
  unsigned seed = 3;
  for (Worker& worker : *all) {
    worker.stream = new_stream();
    worker.handle = blas->create();
    blas->use(worker.handle, worker.stream);
    for (float*& input : worker.inputs) input = random_floats(count, seed++);
    worker.output = on_device<float>(count);
    worker.answers = pinned<float>(static_cast<std::size_t>(requests) * size);
    watch("answers", worker.answers, sizeof(float) * requests * size);
  }
  auto gpu = std::make_shared<std::mutex>();
  return [=] {
    const auto serve = [=](Worker& worker) {
      for (int request = 0; request < requests; ++request) {
        std::unique_lock<std::mutex> lock(*gpu, std::defer_lock);
        if (broken) lock.lock();
        blas->multiply(worker.handle, size, size, size, weights,
                       worker.inputs[static_cast<std::size_t>(request) % 2], worker.output);
        add_bias_relu<<<528, 256, 0, worker.stream>>>(worker.output, bias, size, size);
        launched();
        check(cudaMemcpyAsync(worker.answers + static_cast<std::size_t>(request) * size,
                              worker.output, sizeof(float) * size, cudaMemcpyDeviceToHost,
                              worker.stream));
        check(cudaStreamSynchronize(worker.stream));
      }
    };
    std::vector<std::thread> threads;
    for (Worker& worker : *all) threads.emplace_back(serve, std::ref(worker));
    for (std::thread& thread : threads) thread.join();
  };
}

}  // namespace independent
