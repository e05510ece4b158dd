#include "tests/gpu/programs/independent/programs.cuh"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <array>
#include <vector>

namespace cg = cooperative_groups;

namespace independent {

// spectrum-consumer: one stream transforms two channels. Another finds peaks in the first channel.
namespace {

// One pass of Stockham's FFT (radix 2). Scales the values so that the energy stays the same.
__global__ void fft_pass(const float2* __restrict__ in, float2* __restrict__ out, unsigned n,
                         unsigned half) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  const unsigned k = i & (half - 1);
  float sine = 0.0F;
  float cosine = 0.0F;
  sincospif(-static_cast<float>(k) / static_cast<float>(half), &sine, &cosine);
  const float2 a = in[i];
  const float2 b = in[i + n / 2];
  const float2 c = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
  const unsigned j = 2 * (i - k) + k;
  constexpr float scale = 0.70710678F;
  out[j] = make_float2((a.x + c.x) * scale, (a.y + c.y) * scale);
  out[j + half] = make_float2((a.x - c.x) * scale, (a.y - c.y) * scale);
}

__global__ void detect_peaks(const float2* __restrict__ spectrum, unsigned n, unsigned* peaks) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float around = 0.0F;
  for (unsigned d = 1; d <= 32; ++d) {
    const float2 left = spectrum[(i - d) & (n - 1)];
    const float2 right = spectrum[(i + d) & (n - 1)];
    around += left.x * left.x + left.y * left.y + right.x * right.x + right.y * right.y;
  }
  const float2 here = spectrum[i & (n - 1)];
  const bool peak = i < n && here.x * here.x + here.y * here.y > 4.0F * around / 64.0F;
  const unsigned found = __popc(__ballot_sync(0xffffffffU, peak));
  if (threadIdx.x % 32 == 0 && found > 0) atomicAdd(peaks, found);
}

}  // namespace

Round spectrum_consumer(bool broken) {
  static constexpr int passes = 22;  // Even: the result is where the input was.
  static constexpr unsigned n = 1U << passes;
  static constexpr std::size_t blocks = 6;
  const float* radar = random_floats(2 * (n + blocks), 61);
  const float* calibration = random_floats(2 * (n + blocks), 62);
  struct Channel {
    float2* a;
    float2* b;
  };
  const Channel first{on_device<float2>(n), on_device<float2>(n)};
  const Channel second{on_device<float2>(n), on_device<float2>(n)};
  unsigned* peaks = on_device<unsigned>(blocks);
  unsigned* host_peaks = pinned<unsigned>(blocks);
  watch("peaks", host_peaks, blocks * sizeof(unsigned));
  watch("calibration", second.a, n * sizeof(float2));
  cudaStream_t producer = new_stream();
  cudaStream_t consumer = new_stream();
  cudaEvent_t ready = new_event();
  cudaEvent_t consumed = new_event();
  return [=] {
    const auto transform = [=](const Channel& channel, const float* signal) {
      check(cudaMemcpyAsync(channel.a, signal, n * sizeof(float2), cudaMemcpyDeviceToDevice,
                            producer));
      for (int pass = 0; pass < passes; ++pass) {
        const bool even = pass % 2 == 0;
        fft_pass<<<n / 2 / 256, 256, 0, producer>>>(even ? channel.a : channel.b,
                                                    even ? channel.b : channel.a, n, 1U << pass);
        launched();
      }
    };
    check(cudaMemsetAsync(peaks, 0, blocks * sizeof(unsigned), consumer));
    for (std::size_t block = 0; block < blocks; ++block) {
      if (block > 0) check(cudaStreamWaitEvent(producer, consumed, 0));
      transform(first, radar + 2 * block);
      if (!broken) check(cudaEventRecord(ready, producer));
      transform(second, calibration + 2 * block);
      if (broken) check(cudaEventRecord(ready, producer));
      check(cudaStreamWaitEvent(consumer, ready, 0));
      detect_peaks<<<n / 256, 256, 0, consumer>>>(first.a, n, peaks + block);
      launched();
      check(cudaEventRecord(consumed, consumer));
    }
    check(cudaMemcpyAsync(host_peaks, peaks, blocks * sizeof(unsigned), cudaMemcpyDeviceToHost,
                          consumer));
    check(cudaStreamSynchronize(producer));
    check(cudaStreamSynchronize(consumer));
  };
}

// slab-upload: copies the slabs of a volume to the GPU one by one, and smooths each slab twice.
namespace {

__global__ void smooth(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                       int nz) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int z = static_cast<int>(blockIdx.z);
  if (x >= nx || y >= ny || z >= nz) return;
  const int i = (z * ny + y) * nx + x;
  const float here = in[i];
  const float sum = (x > 0 ? in[i - 1] : here) + (x < nx - 1 ? in[i + 1] : here) +
                    (y > 0 ? in[i - nx] : here) + (y < ny - 1 ? in[i + nx] : here) +
                    (z > 0 ? in[i - nx * ny] : here) + (z < nz - 1 ? in[i + nx * ny] : here);
  out[i] = 0.4F * here + 0.1F * sum;
}

__global__ void largest(const float* __restrict__ values, int count, unsigned* out) {
  float most = 0.0F;
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += stride)
    most = fmaxf(most, values[i]);
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned bits = cg::reduce(warp, __float_as_uint(most), cg::greater<unsigned>());
  if (threadIdx.x % 32 == 0) atomicMax(out, bits);
}

}  // namespace

Round slab_upload(bool broken) {
  static constexpr int nx = 256;
  static constexpr int ny = 256;
  static constexpr int nz = 64;
  static constexpr std::size_t slab = static_cast<std::size_t>(nx) * ny * nz;
  static constexpr std::size_t slabs = 16;
  float* volume = pinned<float>(slabs * slab);
  for (std::size_t i = 0; i < slabs * slab; ++i) volume[i] = unit(pcg(static_cast<unsigned>(i)));
  std::array<float*, 2> buffers{on_device<float>(slab), on_device<float>(slab)};
  std::array<cudaEvent_t, 2> uploaded_to{new_event(), new_event()};
  std::array<cudaEvent_t, 2> released{new_event(), new_event()};
  float* other = on_device<float>(slab);
  unsigned* maxima = on_device<unsigned>(slabs);
  unsigned* host_maxima = pinned<unsigned>(slabs);
  watch("maxima", host_maxima, slabs * sizeof(unsigned));
  cudaStream_t copies = new_stream();
  cudaStream_t compute = new_stream();
  const std::size_t used = broken ? 1 : 2;
  return [=] {
    check(cudaMemsetAsync(maxima, 0, slabs * sizeof(unsigned), compute));
    const dim3 block(64, 4);
    const dim3 grid(nx / 64, ny / 4, nz);
    for (std::size_t i = 0; i < slabs; ++i) {
      const std::size_t at = i % used;
      if (i >= used) check(cudaStreamWaitEvent(copies, released[at], 0));
      check(cudaMemcpyAsync(buffers[at], volume + i * slab, slab * sizeof(float),
                            cudaMemcpyHostToDevice, copies));
      check(cudaEventRecord(uploaded_to[at], copies));
      check(cudaStreamWaitEvent(compute, uploaded_to[at], 0));
      smooth<<<grid, block, 0, compute>>>(buffers[at], other, nx, ny, nz);
      launched();
      smooth<<<grid, block, 0, compute>>>(other, buffers[at], nx, ny, nz);
      launched();
      largest<<<264, 256, 0, compute>>>(buffers[at], static_cast<int>(slab), maxima + i);
      launched();
      check(cudaEventRecord(released[at], compute));
    }
    check(cudaMemcpyAsync(host_maxima, maxima, slabs * sizeof(unsigned), cudaMemcpyDeviceToHost,
                          compute));
    check(cudaStreamSynchronize(copies));
    check(cudaStreamSynchronize(compute));
  };
}

// control-graph-pipeline: copies chunks in, filters them and copies them out, in three slots.
namespace {

__global__ void filter_taps(const float* __restrict__ in, float* __restrict__ out, int count) {
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += stride) {
    float sum = 0.0F;
    for (int tap = -12; tap <= 12; ++tap)
      sum += in[min(max(i + tap, 0), count - 1)] * (1.0F - 0.07F * fabsf(static_cast<float>(tap)));
    out[i] = sum * 0.06F;
  }
}

}  // namespace

Round control_graph_pipeline(bool /*broken*/) {
  static constexpr int chunk = 1 << 20;
  static constexpr std::size_t chunks = 40;
  static constexpr std::size_t bytes = chunk * sizeof(float);
  float* in = pinned<float>(chunks * chunk);
  float* out = pinned<float>(chunks * chunk);
  for (std::size_t i = 0; i < chunks * chunk; ++i) in[i] = unit(pcg(static_cast<unsigned>(i)));
  watch("filtered", out, chunks * bytes);
  struct Slot {
    cudaStream_t stream;
    float* in;
    float* out;
  };
  std::array<Slot, 3> slots{};
  for (Slot& slot : slots) slot = {new_stream(), on_device<float>(chunk), on_device<float>(chunk)};
  std::vector<cudaGraphExec_t> graphs;
  for (std::size_t i = 0; i < chunks; ++i) {
    const Slot& slot = slots[i % slots.size()];
    graphs.push_back(planted::captured(slot.stream, [&] {
      check(cudaMemcpyAsync(slot.in, in + i * chunk, bytes, cudaMemcpyHostToDevice, slot.stream));
      filter_taps<<<528, 256, 0, slot.stream>>>(slot.in, slot.out, chunk);
      launched();
      check(cudaMemcpyAsync(out + i * chunk, slot.out, bytes, cudaMemcpyDeviceToHost, slot.stream));
    }));
  }
  return [=] {
    for (std::size_t i = 0; i < chunks; ++i)
      check(cudaGraphLaunch(graphs[i], slots[i % slots.size()].stream));
    for (const Slot& slot : slots) check(cudaStreamSynchronize(slot.stream));
  };
}

}  // namespace independent
