#include "tests/gpu/programs/independent/programs.cuh"

#include <array>
#include <memory>

namespace independent {

// video-filter: copies frames in, smooths them with a bilateral filter, and copies them out.
namespace {

__global__ void bilateral(const float* __restrict__ in, std::size_t in_pitch,
                          float* __restrict__ out, std::size_t out_pitch, int width, int height) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) return;
  const float middle = in[static_cast<std::size_t>(y) * in_pitch + static_cast<std::size_t>(x)];
  float sum = 0.0F;
  float weights = 0.0F;
  for (int dy = -5; dy <= 5; ++dy) {
    const auto row = static_cast<std::size_t>(min(max(y + dy, 0), height - 1));
    for (int dx = -5; dx <= 5; ++dx) {
      const auto column = static_cast<std::size_t>(min(max(x + dx, 0), width - 1));
      const float value = in[row * in_pitch + column];
      const float apart = value - middle;
      const float weight =
          __expf(-0.05F * static_cast<float>(dx * dx + dy * dy) - 8.0F * apart * apart);
      sum += weight * value;
      weights += weight;
    }
  }
  out[static_cast<std::size_t>(y) * out_pitch + static_cast<std::size_t>(x)] = sum / weights;
}

}  // namespace

Round video_filter(bool broken) {
  static constexpr int width = 1920;
  static constexpr int height = 1080;
  static constexpr std::size_t frames = 14;
  static constexpr std::size_t pixels = static_cast<std::size_t>(width) * height;
  static constexpr std::size_t row = width * sizeof(float);
  float* in = nullptr;
  float* out = nullptr;
  if (broken) {
    in = new float[frames * pixels];
    out = new float[frames * pixels]();
  } else {
    in = pinned<float>(frames * pixels);
    out = pinned<float>(frames * pixels);
  }
  for (std::size_t i = 0; i < frames * pixels; ++i) in[i] = unit(pcg(static_cast<unsigned>(i)));
  watch("frames", out, frames * pixels * sizeof(float));
  struct Slot {
    cudaStream_t stream;
    float* in;
    float* out;
    std::size_t in_pitch;
    std::size_t out_pitch;
  };
  std::array<Slot, 3> slots{};
  for (Slot& slot : slots) {
    slot.stream = new_stream();
    check(cudaMallocPitch(&slot.in, &slot.in_pitch, row, height));
    check(cudaMallocPitch(&slot.out, &slot.out_pitch, row, height));
  }
  return [=] {
    const dim3 block(32, 8);
    const dim3 grid((width + 31) / 32, (height + 7) / 8);
    for (std::size_t frame = 0; frame < frames; ++frame) {
      const Slot& slot = slots[frame % slots.size()];
      check(cudaMemcpy2DAsync(slot.in, slot.in_pitch, in + frame * pixels, row, row, height,
                              cudaMemcpyHostToDevice, slot.stream));
      bilateral<<<grid, block, 0, slot.stream>>>(slot.in, slot.in_pitch / sizeof(float), slot.out,
                                                 slot.out_pitch / sizeof(float), width, height);
      launched();
      check(cudaMemcpy2DAsync(out + frame * pixels, row, slot.out, slot.out_pitch, row, height,
                              cudaMemcpyDeviceToHost, slot.stream));
    }
    for (const Slot& slot : slots) check(cudaStreamSynchronize(slot.stream));
  };
}

// texture-entropy: co-occurrence histograms of three textures, and their entropy.
namespace {

__global__ void cooccurrence(const unsigned char* __restrict__ pixels, int width, int height,
                             int distance, unsigned* bins) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < width * height;
       i += stride) {
    if (i % width + distance >= width) continue;
    const unsigned a = pixels[i] >> 4U;
    const unsigned b = pixels[i + distance] >> 4U;
    atomicAdd(&own[a * 16 + b], 1U);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void entropy(const unsigned* __restrict__ bins, float all, float* out) {
  __shared__ float sums[256];
  const float share = static_cast<float>(bins[threadIdx.x]) / all;
  sums[threadIdx.x] = share > 0.0F ? -share * log2f(share) : 0.0F;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *out = sums[0];
}

}  // namespace

Round texture_entropy(bool broken) {
  static constexpr int width = 2048;
  static constexpr int height = 2048;
  static constexpr std::size_t pixels = static_cast<std::size_t>(width) * height;
  static constexpr int distances = 24;
  struct Texture {
    cudaStream_t stream;
    const unsigned char* pixels;
    unsigned* bins;
    float* entropies;
  };
  std::array<Texture, 3> textures{};
  unsigned seed = 91;
  for (Texture& texture : textures) {
    if (broken)
      check(cudaStreamCreate(&texture.stream));
    else
      texture.stream = new_stream();
    texture.pixels =
        reinterpret_cast<const unsigned char*>(random_words(pixels / sizeof(unsigned), seed++));
    texture.bins = on_device<unsigned>(256);
    texture.entropies = on_device<float>(distances);
    watch("entropies", texture.entropies, distances * sizeof(float));
  }
  return [=] {
    for (int distance = 1; distance <= distances; ++distance) {
      for (const Texture& texture : textures) {
        if (broken)
          check(cudaMemset(texture.bins, 0, 256 * sizeof(unsigned)));
        else
          check(cudaMemsetAsync(texture.bins, 0, 256 * sizeof(unsigned), texture.stream));
        cooccurrence<<<32, 256, 0, texture.stream>>>(texture.pixels, width, height, distance,
                                                     texture.bins);
        launched();
        entropy<<<1, 256, 0, texture.stream>>>(texture.bins,
                                               static_cast<float>((width - distance) * height),
                                               texture.entropies + distance - 1);
        launched();
      }
    }
    for (const Texture& texture : textures) check(cudaStreamSynchronize(texture.stream));
  };
}

// frame-checksum: the GPU draws frames of a fractal, and the host computes their checksums.
namespace {

__global__ void mandelbrot(unsigned* out, int width, int height, float zoom, int most) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) return;
  const float cx = -0.5F + zoom * (static_cast<float>(x) / static_cast<float>(width) - 0.5F);
  const float cy = zoom * (static_cast<float>(y) / static_cast<float>(height) - 0.5F);
  float zx = 0.0F;
  float zy = 0.0F;
  int i = 0;
  for (; i < most && zx * zx + zy * zy < 4.0F; ++i) {
    const float next = zx * zx - zy * zy + cx;
    zy = 2.0F * zx * zy + cy;
    zx = next;
  }
  out[y * width + x] = static_cast<unsigned>(i) ^ __float_as_uint(zx);
}

struct Frame {
  const unsigned* pixels;
  std::size_t count;
  std::uint64_t sum;
};

void checksum_of(void* argument) {
  auto& frame = *static_cast<Frame*>(argument);
  std::uint64_t sum = 1469598103934665603ULL;
  for (std::size_t i = 0; i < frame.count; ++i) sum = (sum ^ frame.pixels[i]) * 1099511628211ULL;
  frame.sum = sum;
}

}  // namespace

Round frame_checksum(bool broken) {
  static constexpr int size = 512;
  static constexpr std::size_t pixels = static_cast<std::size_t>(size) * size;
  static constexpr std::size_t frames = 16;
  unsigned* image = on_device<unsigned>(pixels);
  unsigned* host = pinned<unsigned>(frames * pixels);
  auto all = kept(std::make_shared<std::array<Frame, frames>>());
  for (std::size_t i = 0; i < frames; ++i) {
    (*all)[i] = {host + i * pixels, pixels, 0};
    watch("checksum", &(*all)[i].sum, sizeof(std::uint64_t));
  }
  cudaStream_t compute = new_stream();
  cudaStream_t sums = new_stream();
  cudaEvent_t copied = new_event();
  return [=] {
    for (std::size_t i = 0; i < frames; ++i) {
      mandelbrot<<<dim3(size / 32, size / 8), dim3(32, 8), 0, compute>>>(
          image, size, size, 1.5F / (1.0F + 0.1F * static_cast<float>(i)), 5000);
      launched();
      check(cudaMemcpyAsync(host + i * pixels, image, pixels * sizeof(unsigned),
                            cudaMemcpyDeviceToHost, compute));
      if (broken) {
        check(cudaLaunchHostFunc(compute, checksum_of, &(*all)[i]));
      } else {
        check(cudaEventRecord(copied, compute));
        check(cudaStreamWaitEvent(sums, copied, 0));
        check(cudaLaunchHostFunc(sums, checksum_of, &(*all)[i]));
      }
    }
    check(cudaStreamSynchronize(compute));
    check(cudaStreamSynchronize(sums));
  };
}

}  // namespace independent
