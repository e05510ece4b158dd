#include "tests/gpu/programs/independent/programs.cuh"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <thread>
#include <vector>

namespace cg = cooperative_groups;

namespace independent {

// pi-estimator: throws batches of darts until the estimate is good enough.
namespace {

__global__ void throw_darts(unsigned long long* hits, unsigned seed, int darts) {
  unsigned state = pcg(seed ^ pcg(blockIdx.x * blockDim.x + threadIdx.x));
  unsigned inside = 0;
  for (int i = 0; i < darts; ++i) {
    state = pcg(state);
    const float x = static_cast<float>(state & 0xffffU) * (1.0F / 65536.0F);
    const float y = static_cast<float>(state >> 16U) * (1.0F / 65536.0F);
    if (x * x + y * y < 1.0F) ++inside;
  }
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  inside = cg::reduce(warp, inside, cg::plus<unsigned>());
  if (threadIdx.x % 32 == 0) atomicAdd(hits, static_cast<unsigned long long>(inside));
}

}  // namespace

Round pi_estimator(bool broken) {
  static constexpr int batches = 12;
  static constexpr unsigned blocks = 132 * 8;
  static constexpr int darts = 2048;
  auto* hits = on_device<unsigned long long>(1);
  auto* host_hits = pinned<unsigned long long>(1);
  auto estimate = kept(std::make_shared<double>(0.0));
  watch("estimate", estimate.get(), sizeof(double));
  cudaStream_t stream = new_stream();
  return [=] {
    double all = 0.0;
    double inside = 0.0;
    for (unsigned batch = 0; batch < batches; ++batch) {
      check(cudaMemsetAsync(hits, 0, sizeof(unsigned long long), stream));
      throw_darts<<<blocks, 256, 0, stream>>>(hits, batch, darts);
      launched();
      check(cudaMemcpyAsync(host_hits, hits, sizeof(unsigned long long), cudaMemcpyDeviceToHost,
                            stream));
      if (broken) {
        cudaError_t state = cudaSuccess;
        while ((state = cudaStreamQuery(stream)) == cudaErrorNotReady)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        check(state);
      } else {
        check(cudaStreamSynchronize(stream));
      }
      all += static_cast<double>(blocks) * 256.0 * darts;
      inside += static_cast<double>(*host_hits);
      *estimate = 4.0 * inside / all;
      if (1.0 / std::sqrt(all) < 1e-6) break;
    }
  };
}

// search-with-background: the GPU searches nearest neighbours and prices options at the same time.
namespace {

// Prices Asian options. Each thread follows paths of 256 steps and adds up the payoffs.
__global__ void price_paths(float* pays, unsigned seed, int paths) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = pcg(seed ^ pcg(thread));
  float pay = 0.0F;
  for (int path = 0; path < paths; ++path) {
    float price = 100.0F;
    float mean = 0.0F;
    for (int step = 0; step < 256; ++step) {
      const unsigned first = pcg(state);
      state = pcg(first);
      const float normal =
          sqrtf(-2.0F * __logf(1.0F - unit(first))) * __cosf(6.2831853F * unit(state));
      price *= 1.0F + 0.0001F + 0.01F * normal;
      mean += price;
    }
    pay += fmaxf(mean / 256.0F - 100.0F, 0.0F);
  }
  pays[thread] += pay;
}

// Each block finds the point that is nearest to its query. The result of a block has the bits of
// the distance in its upper half and the index of the point in its lower half.
__global__ void nearest(const float4* __restrict__ points, int count,
                        const float4* __restrict__ queries, unsigned long long* best) {
  constexpr int dims = 16;  // float4 values of a point.
  __shared__ float4 query[dims];
  __shared__ unsigned long long found[256];
  if (threadIdx.x < dims) query[threadIdx.x] = queries[blockIdx.x * dims + threadIdx.x];
  __syncthreads();
  unsigned long long own = ~0ULL;
  for (int point = static_cast<int>(threadIdx.x); point < count; point += 256) {
    float distance = 0.0F;
    for (int d = 0; d < dims; ++d) {
      const float4 a = points[point * dims + d];
      const float4 b = query[d];
      distance += (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) +
                  (a.z - b.z) * (a.z - b.z) + (a.w - b.w) * (a.w - b.w);
    }
    const unsigned long long key = static_cast<unsigned long long>(__float_as_uint(distance))
                                       << 32U |
                                   static_cast<unsigned>(point);
    if (key < own) own = key;
  }
  found[threadIdx.x] = own;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half && found[threadIdx.x + half] < found[threadIdx.x])
      found[threadIdx.x] = found[threadIdx.x + half];
  }
  if (threadIdx.x == 0) best[blockIdx.x] = found[0];
}

}  // namespace

Round search_with_background(bool broken) {
  static constexpr int points = 16384;
  static constexpr std::size_t dims = 64;
  static constexpr std::size_t queries = 16;
  static constexpr std::size_t requests = 30;
  static constexpr unsigned batches = 24;
  static constexpr unsigned pricing_blocks = 64;
  static constexpr unsigned pricing_threads = 512;
  auto base = std::make_shared<std::vector<float>>(points * dims);
  for (std::size_t i = 0; i < base->size(); ++i) (*base)[i] = unit(pcg(static_cast<unsigned>(i)));
  const float* gpu_base = uploaded(*base);
  float* gpu_queries = on_device<float>(queries * dims);
  float* host_queries = pinned<float>(queries * dims);
  auto* best = on_device<unsigned long long>(queries);
  auto* host_best = pinned<unsigned long long>(queries);
  float* pays = on_device<float>(pricing_blocks * pricing_threads);
  auto chosen = kept(std::make_shared<std::vector<unsigned>>(requests * queries));
  watch("chosen", chosen->data(), chosen->size() * sizeof(unsigned));
  watch("pays", pays, pricing_blocks * pricing_threads * sizeof(float));
  int lowest = 0;
  int highest = 0;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
  cudaStream_t background = nullptr;
  cudaStream_t search = nullptr;
  check(cudaStreamCreateWithPriority(&background, cudaStreamNonBlocking, lowest));
  check(cudaStreamCreateWithPriority(&search, cudaStreamNonBlocking, highest));
  return [=] {
    check(cudaMemsetAsync(pays, 0, pricing_blocks * pricing_threads * sizeof(float), background));
    for (unsigned batch = 0; batch < batches; ++batch) {
      price_paths<<<pricing_blocks, pricing_threads, 0, background>>>(pays, batch, 8);
      launched();
    }
    for (std::size_t i = 0; i < queries * dims; ++i)
      host_queries[i] = unit(pcg(0x5eedU ^ static_cast<unsigned>(i)));
    for (std::size_t request = 0; request < requests; ++request) {
      check(cudaMemcpyAsync(gpu_queries, host_queries, queries * dims * sizeof(float),
                            cudaMemcpyHostToDevice, search));
      nearest<<<queries, 256, 0, search>>>(reinterpret_cast<const float4*>(gpu_base), points,
                                           reinterpret_cast<const float4*>(gpu_queries), best);
      launched();
      check(cudaMemcpyAsync(host_best, best, queries * sizeof(unsigned long long),
                            cudaMemcpyDeviceToHost, search));
      if (broken)
        check(cudaDeviceSynchronize());
      else
        check(cudaStreamSynchronize(search));
      for (std::size_t query = 0; query < queries; ++query) {
        const auto point = static_cast<unsigned>(host_best[query] & 0xffffffffU);
        (*chosen)[request * queries + query] = point;
        for (std::size_t d = 0; d < dims; ++d)
          host_queries[query * dims + d] =
              0.5F * ((*base)[point * dims + d] +
                      unit(pcg(point ^ pcg(static_cast<unsigned>(request * dims + d)))));
      }
    }
    check(cudaStreamSynchronize(background));
  };
}

// control-two-jobs-one-stream: runs independent jobs in one stream. Each job fills the GPU.
namespace {

__global__ void julia(float* out, int width, int height, float angle, int most) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) return;
  const float cx = -0.123F + 0.01F * angle;
  const float cy = 0.745F;
  float zx = 0.6F * (static_cast<float>(x) / static_cast<float>(width) - 0.5F);
  float zy = 0.6F * (static_cast<float>(y) / static_cast<float>(height) - 0.5F);
  int i = 0;
  for (; i < most && zx * zx + zy * zy < 4.0F; ++i) {
    const float next = zx * zx - zy * zy + cx;
    zy = 2.0F * zx * zy + cy;
    zx = next;
  }
  out[y * width + x] = static_cast<float>(i);
}

}  // namespace

Round control_two_jobs_one_stream(bool broken) {
  static constexpr int size = 2048;
  static constexpr unsigned pricing_blocks = 4224;
  static constexpr std::size_t paths = pricing_blocks * 256;
  static constexpr std::size_t pixels = static_cast<std::size_t>(size) * size;
  float* pays = on_device<float>(paths);
  float* image = on_device<float>(pixels);
  watch("pays", pays, paths * sizeof(float));
  watch("image", image, pixels * sizeof(float));
  cudaStream_t pricing = new_stream();
  cudaStream_t drawing = broken ? pricing : new_stream();
  return [=] {
    check(cudaMemsetAsync(pays, 0, paths * sizeof(float), pricing));
    for (unsigned step = 0; step < 8; ++step) {
      price_paths<<<pricing_blocks, 256, 0, pricing>>>(pays, step, 1);
      launched();
      julia<<<dim3(size / 32, size / 8), dim3(32, 8), 0, drawing>>>(
          image, size, size, static_cast<float>(step) / 8.0F, 512);
      launched();
    }
    check(cudaStreamSynchronize(pricing));
    check(cudaStreamSynchronize(drawing));
  };
}

}  // namespace independent
