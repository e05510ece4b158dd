#include "tests/gpu/programs/independent/programs.cuh"

#include <array>
#include <memory>
#include <vector>

namespace independent {

// heat-residual: Jacobi steps until the change is small.
namespace {

__global__ void jacobi(const float* __restrict__ in, float* __restrict__ out, int n,
                       unsigned* residual) {
  __shared__ float worst[8];
  const int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * 8 + threadIdx.y);
  float change = 0.0F;
  if (x < n && y < n) {
    const int i = y * n + x;
    const float old = in[i];
    float value = old;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
      value = 0.25F * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
    out[i] = value;
    change = fabsf(value - old);
  }
  for (int lanes = 16; lanes > 0; lanes /= 2)
    change = fmaxf(change, __shfl_xor_sync(0xffffffffU, change, lanes));
  if (threadIdx.x == 0) worst[threadIdx.y] = change;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    for (int i = 1; i < 8; ++i) change = fmaxf(change, worst[i]);
    atomicMax(residual, __float_as_uint(change));  // Not negative: ordered like its bits.
  }
}

}  // namespace

Round heat_residual(bool broken) {
  static constexpr int n = 2048;
  static constexpr int most_steps = 192;
  static constexpr std::size_t count = static_cast<std::size_t>(n) * n;
  float* initial = random_floats(count, 11);
  std::array<float*, 2> grids{on_device<float>(count), on_device<float>(count)};
  unsigned* residual = on_device<unsigned>(1);
  auto found = kept(std::make_shared<float>(0.0F));
  watch("grid", grids[0], count * sizeof(float));
  watch("residual", found.get(), sizeof(float));
  const int check_every = broken ? 1 : 8;
  return [=] {
    check(cudaMemcpyAsync(grids[0], initial, count * sizeof(float), cudaMemcpyDeviceToDevice));
    const dim3 block(32, 8);
    const dim3 grid(n / 32, n / 8);
    for (std::size_t step = 0; step < most_steps; ++step) {
      check(cudaMemsetAsync(residual, 0, sizeof(unsigned)));
      jacobi<<<grid, block>>>(grids[step % 2], grids[(step + 1) % 2], n, residual);
      launched();
      if ((step + 1) % static_cast<std::size_t>(check_every) != 0) continue;
      check(cudaMemcpy(found.get(), residual, sizeof(float), cudaMemcpyDeviceToHost));
      if (*found < 1e-7F) break;
    }
    check(cudaDeviceSynchronize());
  };
}

// spmv-and-histogram: a power iteration on an irregular matrix, and histograms of frames.
namespace {

__global__ void spmv_rows(const int* __restrict__ starts, const int* __restrict__ columns,
                          const float* __restrict__ weights, const float* __restrict__ x,
                          float* __restrict__ y, int rows) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  float sum = 0.0F;
  for (int i = starts[row]; i < starts[row + 1]; ++i) sum += weights[i] * x[columns[i]];
  y[row] = sum;
}

__global__ void histogram(const unsigned char* __restrict__ pixels, int count, unsigned* bins) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += stride)
    atomicAdd(&own[pixels[i]], 1U);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

}  // namespace

Round spmv_and_histogram(bool broken) {
  static constexpr int rows = 16384;
  static constexpr int steps = 24;
  static constexpr int frame_bytes = 16 << 20;
  static constexpr std::size_t frames = 4;
  std::vector<int> starts{0};
  std::vector<int> columns;
  std::vector<float> weights;
  for (unsigned row = 0; row < rows; ++row) {
    const unsigned length = row % 64 == 0 ? 2800 + pcg(row) % 400 : 8 + pcg(row) % 24;
    for (unsigned i = 0; i < length; ++i) {
      columns.push_back(static_cast<int>(pcg(row * 4096 + i) % rows));
      weights.push_back(1.0F / static_cast<float>(length));
    }
    starts.push_back(static_cast<int>(columns.size()));
  }
  const int* gpu_starts = uploaded(starts);
  const int* gpu_columns = uploaded(columns);
  const float* gpu_weights = uploaded(weights);
  float* first = random_floats(rows, 21);
  std::array<float*, 2> x{on_device<float>(rows), on_device<float>(rows)};
  const auto* pixels = reinterpret_cast<const unsigned char*>(
      random_words(frames * frame_bytes / sizeof(unsigned), 22));
  unsigned* bins = on_device<unsigned>(steps * 256);
  unsigned* host_bins = pinned<unsigned>(steps * 256);
  watch("vector", x[0], rows * sizeof(float));
  watch("bins", host_bins, steps * 256 * sizeof(unsigned));
  cudaStream_t solver = new_stream();
  cudaStream_t images = broken ? solver : new_stream();
  return [=] {
    check(cudaMemcpyAsync(x[0], first, rows * sizeof(float), cudaMemcpyDeviceToDevice, solver));
    for (std::size_t step = 0; step < steps; ++step) {
      spmv_rows<<<rows / 256, 256, 0, solver>>>(gpu_starts, gpu_columns, gpu_weights, x[step % 2],
                                                x[(step + 1) % 2], rows);
      launched();
      unsigned* out = bins + step * 256;
      check(cudaMemsetAsync(out, 0, 256 * sizeof(unsigned), images));
      histogram<<<48, 256, 0, images>>>(pixels + step % frames * frame_bytes, frame_bytes, out);
      launched();
    }
    check(cudaMemcpyAsync(host_bins, bins, steps * 256 * sizeof(unsigned), cudaMemcpyDeviceToHost,
                          images));
    check(cudaStreamSynchronize(solver));
    check(cudaStreamSynchronize(images));
  };
}

}  // namespace independent
