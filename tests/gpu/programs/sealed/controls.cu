#include "tests/gpu/programs/sealed/programs.cuh"

#include <array>

namespace sealed {

// control-newton: solves equations of orbits in passes of some milliseconds. The host must know
// after each pass whether all equations are solved.
namespace {

constexpr unsigned orbits = 1U << 24U;

__global__ void refine_orbits(const float* __restrict__ draws, float* angles, unsigned* left) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mean = 6.2831853F * draws[i];
  const float flat = 0.8F * fraction(mixed(i));
  float angle = angles[i];
  float rest = 0.0F;
  for (int k = 0; k < 100; ++k) {
    float sine = 0.0F;
    float cosine = 0.0F;
    __sincosf(angle, &sine, &cosine);
    rest = angle - flat * sine - mean;
    angle -= 0.015F * rest / (1.0F - flat * cosine);
  }
  angles[i] = angle;
  if (__any_sync(0xffffffffU, fabsf(rest) > 1e-3F) && threadIdx.x % 32 == 0) atomicAdd(left, 1U);
}

}  // namespace

Program control_newton(bool) {
  static constexpr int most_passes = 12;
  const float* draws = fractions(orbits, 121);
  auto* angles = on_device<float>(orbits);
  auto* left = on_device<unsigned>(1);
  auto* on_host = pinned<unsigned>(1);
  cudaStream_t stream = new_stream();
  const auto round = [=] {
    check(cudaMemcpyAsync(angles, draws, orbits * sizeof(float), cudaMemcpyDeviceToDevice, stream));
    for (int pass = 0; pass < most_passes; ++pass) {
      check(cudaMemsetAsync(left, 0, sizeof(unsigned), stream));
      refine_orbits<<<orbits / 256, 256, 0, stream>>>(draws, angles, left);
      launched();
      check(cudaMemcpyAsync(on_host, left, sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
      check(cudaStreamSynchronize(stream));
      if (*on_host == 0) break;
    }
  };
  return {round, [=] { return sum_on_device(angles, orbits, 11); }};
}

// control-nbody: each step needs the previous step and fills the GPU. Pictures of earlier steps are
// copied out at the same time.
namespace {

constexpr unsigned bodies = 1U << 16U;

__global__ void attract(const float4* __restrict__ places, float4* __restrict__ next,
                        float4* speeds) {
  __shared__ float4 others[256];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 here = places[i];
  float4 pull = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
  for (unsigned first = 0; first < bodies; first += 256) {
    others[threadIdx.x] = places[first + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 256; ++k) {
      const float x = others[k].x - here.x;
      const float y = others[k].y - here.y;
      const float z = others[k].z - here.z;
      const float closeness = rsqrtf(x * x + y * y + z * z + 0.01F);
      const float strength = closeness * closeness * closeness;
      pull.x += strength * x;
      pull.y += strength * y;
      pull.z += strength * z;
    }
    __syncthreads();
  }
  float4 speed = speeds[i];
  speed.x += 1e-6F * pull.x;
  speed.y += 1e-6F * pull.y;
  speed.z += 1e-6F * pull.z;
  speeds[i] = speed;
  next[i] = make_float4(here.x + 0.01F * speed.x, here.y + 0.01F * speed.y,
                        here.z + 0.01F * speed.z, here.w);
}

}  // namespace

Program control_nbody(bool) {
  static constexpr std::size_t steps = 8;
  static constexpr std::size_t bytes = bodies * sizeof(float4);
  const auto* start = reinterpret_cast<const float4*>(fractions(std::size_t{4} * bodies, 131));
  std::array<float4*, 2> places{on_device<float4>(bodies), on_device<float4>(bodies)};
  auto* speeds = on_device<float4>(bodies);
  auto* pictures = pinned<float4>(steps * bodies);
  cudaStream_t compute = new_stream();
  cudaStream_t output = new_stream();
  std::array<cudaEvent_t, 2> moved{new_event(), new_event()};
  std::array<cudaEvent_t, 2> copied{new_event(), new_event()};
  const auto round = [=] {
    check(cudaMemcpyAsync(places[0], start, bytes, cudaMemcpyDeviceToDevice, compute));
    check(cudaMemsetAsync(speeds, 0, bytes, compute));
    for (std::size_t step = 0; step < steps; ++step) {
      const std::size_t to = (step + 1) % 2;
      if (step >= 2) check(cudaStreamWaitEvent(compute, copied[to], 0));
      attract<<<bodies / 256, 256, 0, compute>>>(places[step % 2], places[to], speeds);
      launched();
      check(cudaEventRecord(moved[to], compute));
      check(cudaStreamWaitEvent(output, moved[to], 0));
      check(cudaMemcpyAsync(pictures + step * bodies, places[to], bytes, cudaMemcpyDeviceToHost,
                            output));
      check(cudaEventRecord(copied[to], output));
    }
    check(cudaStreamSynchronize(compute));
    check(cudaStreamSynchronize(output));
  };
  return {round, [=] {
            return sum_on_host(reinterpret_cast<const float*>(pictures), 4 * steps * bodies, 7);
          }};
}

// control-archive: for each piece of an archive, copies the piece to the device, hashes it, and
// copies the hashes to the host. Uses three streams in turn.
namespace {

constexpr unsigned piece_words = 1U << 20U;

__global__ void hash_piece(const unsigned* __restrict__ words, unsigned* __restrict__ hashes) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned hash = words[i];
  for (int k = 0; k < 700; ++k) hash = mixed(hash + 0x9e3779b9U);
  hashes[i] = hash;
}

}  // namespace

Program control_archive(bool) {
  static constexpr std::size_t pieces = 24;
  static constexpr std::size_t kept_pieces = 6;  // A multiple of the slots.
  static constexpr std::size_t bytes = piece_words * sizeof(unsigned);
  struct Slot {
    unsigned* words;
    unsigned* hashes;
    cudaStream_t stream;
  };
  auto* archive = pinned<unsigned>(kept_pieces * piece_words);
  for (std::size_t i = 0; i < kept_pieces * piece_words; ++i)
    archive[i] = static_cast<unsigned>(i) * 2654435761U;
  auto* hashes = pinned<unsigned>(kept_pieces * piece_words);
  std::array<Slot, 3> slots{};
  for (Slot& slot : slots)
    slot = {on_device<unsigned>(piece_words), on_device<unsigned>(piece_words), new_stream()};
  const auto round = [=] {
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const Slot& slot = slots[piece % slots.size()];
      const std::size_t place = piece % kept_pieces * piece_words;
      check(
          cudaMemcpyAsync(slot.words, archive + place, bytes, cudaMemcpyHostToDevice, slot.stream));
      hash_piece<<<piece_words / 256, 256, 0, slot.stream>>>(slot.words, slot.hashes);
      launched();
      check(
          cudaMemcpyAsync(hashes + place, slot.hashes, bytes, cudaMemcpyDeviceToHost, slot.stream));
    }
    for (const Slot& slot : slots) check(cudaStreamSynchronize(slot.stream));
  };
  return {round, [=] { return sum_on_host(hashes, kept_pieces * piece_words, 5); }};
}

}  // namespace sealed
