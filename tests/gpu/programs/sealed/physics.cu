#include "tests/gpu/programs/sealed/programs.cuh"

#include <array>
#include <cmath>
#include <memory>

namespace sealed {

// cg-dots: conjugate gradients for Poisson's equation in a cube.
namespace {

constexpr int cube_side = 128;
constexpr int cube_cells = cube_side * cube_side * cube_side;
constexpr int dot_blocks = 528;

__device__ double sum_of_block(double value) {
  __shared__ double sums[8];
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(0xffffffffU, value, lanes);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  double sum = 0.0;
  for (double of_warp : sums) sum += of_warp;
  return sum;
}

__global__ void apply_and_dot(const float* __restrict__ p, float* __restrict__ q, double* partial) {
  double dot = 0.0;
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < cube_cells;
       i += stride) {
    const int x = i % cube_side;
    const int y = i / cube_side % cube_side;
    const int z = i / (cube_side * cube_side);
    float value = 6.0F * p[i];
    if (x > 0) value -= p[i - 1];
    if (x < cube_side - 1) value -= p[i + 1];
    if (y > 0) value -= p[i - cube_side];
    if (y < cube_side - 1) value -= p[i + cube_side];
    if (z > 0) value -= p[i - cube_side * cube_side];
    if (z < cube_side - 1) value -= p[i + cube_side * cube_side];
    q[i] = value;
    dot += static_cast<double>(value) * static_cast<double>(p[i]);
  }
  dot = sum_of_block(dot);
  if (threadIdx.x == 0) partial[blockIdx.x] = dot;
}

__global__ void add_up(const double* partial, float* result) {
  double sum = 0.0;
  for (int i = static_cast<int>(threadIdx.x); i < dot_blocks; i += 256) sum += partial[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) *result = static_cast<float>(sum);
}

// A factor: a number that the host knows, or the quotient of two numbers in device memory.
struct Factor {
  float value;
  const float* above;
  const float* below;
  __device__ float get() const { return above == nullptr ? value : *above / *below; }
};

__global__ void move_and_dot(float* __restrict__ x, float* __restrict__ r,
                             const float* __restrict__ p, const float* __restrict__ q,
                             Factor factor, double* partial) {
  const float alpha = factor.get();
  double dot = 0.0;
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < cube_cells;
       i += stride) {
    x[i] += alpha * p[i];
    const float rest = r[i] - alpha * q[i];
    r[i] = rest;
    dot += static_cast<double>(rest) * static_cast<double>(rest);
  }
  dot = sum_of_block(dot);
  if (threadIdx.x == 0) partial[blockIdx.x] = dot;
}

__global__ void next_direction(float* __restrict__ p, const float* __restrict__ r, Factor factor) {
  const float beta = factor.get();
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < cube_cells; i += stride)
    p[i] = r[i] + beta * p[i];
}

}  // namespace

Program cg_dots(bool broken) {
  static constexpr int iterations = 60;
  static constexpr int check_every = 20;
  static constexpr std::size_t bytes = cube_cells * sizeof(float);
  const float* right = fractions(cube_cells, 31);
  auto* x = on_device<float>(cube_cells);
  auto* r = on_device<float>(cube_cells);
  auto* p = on_device<float>(cube_cells);
  auto* q = on_device<float>(cube_cells);
  auto* partial = on_device<double>(dot_blocks);
  auto* dots = on_device<float>(3);  // Dot products: r * r, the previous r * r, p * q.
  auto* on_host = pinned<float>(1);
  cudaStream_t stream = new_stream();
  const auto read = [=](const float* dot) {
    check(cudaMemcpyAsync(on_host, dot, sizeof(float), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    return *on_host;
  };
  const auto round = [=] {
    check(cudaMemsetAsync(x, 0, bytes, stream));
    check(cudaMemcpyAsync(r, right, bytes, cudaMemcpyDeviceToDevice, stream));
    check(cudaMemsetAsync(p, 0, bytes, stream));
    check(cudaMemsetAsync(q, 0, bytes, stream));
    move_and_dot<<<dot_blocks, 256, 0, stream>>>(x, r, p, q, {0.0F, nullptr, nullptr}, partial);
    launched();
    add_up<<<1, 256, 0, stream>>>(partial, dots);
    launched();
    check(cudaMemcpyAsync(p, r, bytes, cudaMemcpyDeviceToDevice, stream));
    float rest = read(dots);
    const float small_enough = 1e-10F * rest;
    for (int i = 0; i < iterations; ++i) {
      float* before = dots + i % 2;
      float* now = dots + (i + 1) % 2;
      float* between = dots + 2;
      apply_and_dot<<<dot_blocks, 256, 0, stream>>>(p, q, partial);
      launched();
      add_up<<<1, 256, 0, stream>>>(partial, between);
      launched();
      Factor alpha{0.0F, before, between};
      if (broken) alpha = {rest / read(between), nullptr, nullptr};
      move_and_dot<<<dot_blocks, 256, 0, stream>>>(x, r, p, q, alpha, partial);
      launched();
      add_up<<<1, 256, 0, stream>>>(partial, now);
      launched();
      Factor beta{0.0F, now, before};
      if (broken) {
        const float next = read(now);
        beta = {next / rest, nullptr, nullptr};
        rest = next;
      } else if (i % check_every == check_every - 1) {
        rest = read(now);
      }
      if (rest < small_enough) break;
      next_direction<<<dot_blocks, 256, 0, stream>>>(p, r, beta);
      launched();
    }
    check(cudaStreamSynchronize(stream));
  };
  return {round, [=] { return sum_on_device(x, cube_cells); }};
}

// lattice-log: simulates a flow on a lattice with nine velocities. The program checks each step.
namespace {

constexpr int flow_width = 2048;
constexpr int flow_height = 1024;
constexpr int flow_cells = flow_width * flow_height;

__constant__ const int velocity_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ const int velocity_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};

__device__ float equilibrium(int k, float density, float x, float y) {
  const float weight = k == 0 ? 4.0F / 9.0F : k < 5 ? 1.0F / 9.0F : 1.0F / 36.0F;
  const float along = static_cast<float>(velocity_x[k]) * x + static_cast<float>(velocity_y[k]) * y;
  return weight * density * (1.0F + 3.0F * along + 4.5F * along * along - 1.5F * (x * x + y * y));
}

__global__ void start_flow(float* cells) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const float x = static_cast<float>(i % flow_width) / flow_width;
  const float y = static_cast<float>(i / flow_width) / flow_height;
  const float flow = 0.05F * tanhf(40.0F * (0.25F - fabsf(y - 0.5F)));
  const float wave = 0.002F * sinpif(8.0F * x);
  for (int k = 0; k < 9; ++k) cells[k * flow_cells + i] = equilibrium(k, 1.0F, flow, wave);
}

__global__ void flow_step(const float* __restrict__ from, float* __restrict__ to) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int x = i % flow_width;
  const int y = i / flow_width;
  float arrived[9];
  float density = 0.0F;
  float flow_x = 0.0F;
  float flow_y = 0.0F;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    const int from_x = (x - velocity_x[k] + flow_width) % flow_width;
    const int from_y = (y - velocity_y[k] + flow_height) % flow_height;
    arrived[k] = from[k * flow_cells + from_y * flow_width + from_x];
    density += arrived[k];
    flow_x += static_cast<float>(velocity_x[k]) * arrived[k];
    flow_y += static_cast<float>(velocity_y[k]) * arrived[k];
  }
  flow_x /= density;
  flow_y /= density;
#pragma unroll
  for (int k = 0; k < 9; ++k)
    to[k * flow_cells + i] =
        arrived[k] + 1.8F * (equilibrium(k, density, flow_x, flow_y) - arrived[k]);
}

}  // namespace

Program lattice_log(bool broken) {
  static constexpr std::size_t steps = 120;
  std::array<float*, 2> cells{on_device<float>(9 * flow_cells), on_device<float>(9 * flow_cells)};
  const auto round = [=] {
    start_flow<<<flow_cells / 256, 256>>>(cells[0]);
    launched();
    for (std::size_t step = 0; step < steps; ++step) {
      flow_step<<<flow_cells / 256, 256>>>(cells[step % 2], cells[(step + 1) % 2]);
      launched();
      if (broken) check(cudaDeviceSynchronize());
    }
    check(cudaDeviceSynchronize());
  };
  return {round, [=] { return sum_on_device(cells[steps % 2], 9 * flow_cells, 101); }};
}

// halo-exchange: simulates waves in a slab of a larger volume. In each step, the outer planes of
// the slab are copied through the host to its neighbours.
namespace {

constexpr int slab_side = 256;
constexpr int slab_planes = 256;
constexpr int halo = 4;
constexpr int plane_cells = slab_side * slab_side;
constexpr int halo_cells = halo * plane_cells;
constexpr int slab_cells = (slab_planes + 2 * halo) * plane_cells;

__global__ void start_pulse(float* now, float* before) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const float x = static_cast<float>(i % slab_side) - 128.0F;
  const float y = static_cast<float>(i / slab_side % slab_side) - 128.0F;
  const float z = static_cast<float>((i / plane_cells - halo + slab_planes) % slab_planes) - 20.0F;
  now[i] = before[i] = expf(-0.01F * (x * x + y * y + z * z));
}

// Computes the planes from `first` on. With `outer`, computes only the `halo` planes at each end.
__global__ void wave_planes(const float* __restrict__ now, float* __restrict__ before, int first,
                            bool outer) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int k = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z);
  const int z = outer && k >= halo ? slab_planes + k - halo : first + k;
  if (x < halo || x >= slab_side - halo || y < halo || y >= slab_side - halo) return;
  const int i = z * plane_cells + y * slab_side + x;
  const float factors[5] = {-2.8472222F, 1.6F, -0.2F, 0.025396825F, -0.0017857143F};
  float sum = 3.0F * factors[0] * now[i];
#pragma unroll
  for (int d = 1; d <= 4; ++d)
    sum += factors[d] * (now[i - d] + now[i + d] + now[i - d * slab_side] + now[i + d * slab_side] +
                         now[i - d * plane_cells] + now[i + d * plane_cells]);
  before[i] = 2.0F * now[i] - before[i] + 0.12F * sum;
}

}  // namespace

Program halo_exchange(bool broken) {
  static constexpr std::size_t steps = 40;
  static constexpr std::size_t halo_bytes = halo_cells * sizeof(float);
  static constexpr int inner_planes = slab_planes - 2 * halo;
  std::array<float*, 2> field{on_device<float>(slab_cells), on_device<float>(slab_cells)};
  auto* low_edge = pinned<float>(halo_cells);
  auto* high_edge = pinned<float>(halo_cells);
  cudaStream_t compute = new_stream();
  cudaStream_t exchange = new_stream();
  cudaEvent_t edges_done = new_event();
  cudaEvent_t halos_here = new_event();
  const auto round = [=] {
    const dim3 block(32, 4, 2);
    const dim3 inner(slab_side / 32, slab_side / 4, inner_planes / 2);
    const dim3 outer(slab_side / 32, slab_side / 4, halo);
    start_pulse<<<slab_cells / 256, 256, 0, compute>>>(field[0], field[1]);
    launched();
    for (std::size_t step = 0; step < steps; ++step) {
      const float* now = field[step % 2];
      float* next = field[(step + 1) % 2];
      if (broken && step > 0) check(cudaStreamWaitEvent(compute, halos_here, 0));
      wave_planes<<<inner, block, 0, compute>>>(now, next, 2 * halo, false);
      launched();
      if (!broken && step > 0) check(cudaStreamWaitEvent(compute, halos_here, 0));
      wave_planes<<<outer, block, 0, compute>>>(now, next, halo, true);
      launched();
      check(cudaEventRecord(edges_done, compute));
      check(cudaStreamWaitEvent(exchange, edges_done, 0));
      // The slab is its own neighbour: its low edge is sent to its high side, and vice versa.
      check(cudaMemcpyAsync(low_edge, next + halo_cells, halo_bytes, cudaMemcpyDeviceToHost,
                            exchange));
      check(cudaMemcpyAsync(high_edge, next + slab_planes * plane_cells, halo_bytes,
                            cudaMemcpyDeviceToHost, exchange));
      check(cudaMemcpyAsync(next + (slab_planes + halo) * plane_cells, low_edge, halo_bytes,
                            cudaMemcpyHostToDevice, exchange));
      check(cudaMemcpyAsync(next, high_edge, halo_bytes, cudaMemcpyHostToDevice, exchange));
      check(cudaEventRecord(halos_here, exchange));
    }
    check(cudaStreamSynchronize(compute));
    check(cudaStreamSynchronize(exchange));
  };
  return {round, [=] { return sum_on_device(field[steps % 2], slab_cells, 29); }};
}

// trajectory: simulates molecules, and packs every fourth step for a file.
namespace {

constexpr int molecules = 8192;

__global__ void add_forces(const float4* __restrict__ places, float4* __restrict__ forces) {
  __shared__ float4 others[256];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 here = places[i];
  float4 force = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
  for (unsigned first = 0; first < molecules; first += 256) {
    others[threadIdx.x] = places[first + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < 256; ++k) {
      const float x = here.x - others[k].x;
      const float y = here.y - others[k].y;
      const float z = here.z - others[k].z;
      const float closeness = 1.0F / (x * x + y * y + z * z + 0.5F);
      const float sixth = closeness * closeness * closeness;
      const float strength = closeness * sixth * (2.0F * sixth - 1.0F);
      force.x += strength * x;
      force.y += strength * y;
      force.z += strength * z;
      force.w += sixth * (sixth - 1.0F);
    }
    __syncthreads();
  }
  forces[i] = force;
}

__global__ void move_molecules(float4* places, float4* speeds, const float4* forces) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 force = forces[i];
  float4 speed = speeds[i];
  float4 place = places[i];
  speed.x += 0.001F * force.x;
  speed.y += 0.001F * force.y;
  speed.z += 0.001F * force.z;
  place.x += 0.001F * speed.x;
  place.y += 0.001F * speed.y;
  place.z += 0.001F * speed.z;
  place.w = force.w;
  speeds[i] = speed;
  places[i] = place;
}

// A frame of the file. `packed` has the difference of each integer from the previous integer.
struct Frame {
  const float4* places = nullptr;
  std::vector<short> packed;
  double sum = 0.0;
};

void pack_frame(void* frame_of) {
  Frame& frame = *static_cast<Frame*>(frame_of);
  int before[3] = {0, 0, 0};
  double sum = 0.0;
  for (std::size_t i = 0; i < molecules; ++i) {
    const float4 place = frame.places[i];
    const float values[3] = {place.x, place.y, place.z};
    for (std::size_t k = 0; k < 3; ++k) {
      const int now = static_cast<int>(std::lround(values[k] * 1000.0F));
      frame.packed[3 * i + k] = static_cast<short>(now - before[k]);
      before[k] = now;
      sum += static_cast<double>(values[k]);
    }
  }
  frame.sum = sum;
}

}  // namespace

Program trajectory(bool broken) {
  static constexpr std::size_t steps = 48;
  static constexpr std::size_t steps_of_frame = 4;
  static constexpr std::size_t frames = steps / steps_of_frame;
  static constexpr std::size_t bytes = molecules * sizeof(float4);
  std::vector<float4> start(molecules);
  for (unsigned i = 0; i < molecules; ++i)
    start[i] =
        make_float4(1.5F * static_cast<float>(i % 32) + 0.1F * fraction(mixed(i)),
                    1.5F * static_cast<float>(i / 32 % 16) + 0.1F * fraction(mixed(i + 1)),
                    1.5F * static_cast<float>(i / 512) + 0.1F * fraction(mixed(i + 2)), 0.0F);
  auto* at_start = on_device<float4>(molecules);
  check(cudaMemcpy(at_start, start.data(), bytes, cudaMemcpyHostToDevice));
  auto* places = on_device<float4>(molecules);
  auto* speeds = on_device<float4>(molecules);
  auto* forces = on_device<float4>(molecules);
  std::array<float4*, 2> fetched{pinned<float4>(molecules), pinned<float4>(molecules)};
  auto all = std::make_shared<std::vector<Frame>>(frames);
  for (std::size_t i = 0; i < frames; ++i) {
    (*all)[i].places = fetched[i % 2];
    (*all)[i].packed.resize(3 * molecules);
  }
  cudaStream_t compute = new_stream();
  cudaStream_t output = new_stream();
  cudaEvent_t copied = new_event();
  std::array<cudaEvent_t, 2> packed{new_event(), new_event()};
  const auto round = [=] {
    check(cudaMemcpyAsync(places, at_start, bytes, cudaMemcpyDeviceToDevice, compute));
    check(cudaMemsetAsync(speeds, 0, bytes, compute));
    for (std::size_t step = 0; step < steps; ++step) {
      add_forces<<<molecules / 256, 256, 0, compute>>>(places, forces);
      launched();
      move_molecules<<<molecules / 256, 256, 0, compute>>>(places, speeds, forces);
      launched();
      if (step % steps_of_frame != steps_of_frame - 1) continue;
      const std::size_t frame = step / steps_of_frame;
      const std::size_t slot = frame % 2;
      if (!broken && frame >= 2) check(cudaStreamWaitEvent(compute, packed[slot], 0));
      check(cudaMemcpyAsync(fetched[slot], places, bytes, cudaMemcpyDeviceToHost, compute));
      if (broken) {
        check(cudaLaunchHostFunc(compute, pack_frame, &(*all)[frame]));
        continue;
      }
      check(cudaEventRecord(copied, compute));
      check(cudaStreamWaitEvent(output, copied, 0));
      check(cudaLaunchHostFunc(output, pack_frame, &(*all)[frame]));
      check(cudaEventRecord(packed[slot], output));
    }
    check(cudaStreamSynchronize(compute));
    check(cudaStreamSynchronize(output));
  };
  return {round, [=] {
            double sum = 0.0;
            for (const Frame& frame : *all) sum += frame.sum;
            return sum;
          }};
}

// cloth: simulates sixteen falling pieces of cloth. A step restores the distances of neighbouring
// points. It treats four groups of neighbours one after the other: even and odd pairs in rows, and
// even and odd pairs in columns.
namespace {

constexpr int cloth_side = 32;
constexpr int cloth_points = cloth_side * cloth_side;
constexpr int cloths = 16;
constexpr int pulls = 10;
constexpr int kinds_of_threads = 4;
constexpr int cloth_threads = cloth_points / 2;

__device__ void fall(float4* points, float4* before, int i) {
  const float4 now = points[i];
  const float4 last = before[i];
  before[i] = now;
  if (i == 0 || i == cloth_side - 1) return;  // It hangs from two corners.
  points[i] = make_float4(now.x + 0.99F * (now.x - last.x), now.y + 0.99F * (now.y - last.y),
                          now.z + 0.99F * (now.z - last.z) - 0.0002F, now.w);
}

__device__ void pull(float4* points, int kind, int thread) {
  const int across = thread % (cloth_side / 2) * 2 + kind % 2;
  const int other = thread / (cloth_side / 2);
  if (across + 1 >= cloth_side) return;
  const int a = kind < 2 ? other * cloth_side + across : across * cloth_side + other;
  const int b = kind < 2 ? a + 1 : a + cloth_side;
  float4 from = points[a];
  float4 to = points[b];
  const float x = to.x - from.x;
  const float y = to.y - from.y;
  const float z = to.z - from.z;
  const float length = sqrtf(x * x + y * y + z * z);
  const float share = 0.5F * (length - 0.03F) / length;
  const bool fixed_a = a == 0 || a == cloth_side - 1;
  const bool fixed_b = b == 0 || b == cloth_side - 1;
  if (!fixed_a)
    points[a] = make_float4(from.x + share * x, from.y + share * y, from.z + share * z, from.w);
  if (!fixed_b) points[b] = make_float4(to.x - share * x, to.y - share * y, to.z - share * z, to.w);
}

__global__ void fall_kernel(float4* points, float4* before) {
  const auto first = static_cast<int>(blockIdx.x) * cloth_points;
  for (auto i = static_cast<int>(threadIdx.x); i < cloth_points; i += cloth_threads)
    fall(points + first, before + first, i);
}

__global__ void pull_kernel(float4* points, int kind) {
  pull(points + static_cast<int>(blockIdx.x) * cloth_points, kind, static_cast<int>(threadIdx.x));
}

__global__ void frame_kernel(float4* points, float4* before) {
  const auto first = static_cast<int>(blockIdx.x) * cloth_points;
  for (auto i = static_cast<int>(threadIdx.x); i < cloth_points; i += cloth_threads)
    fall(points + first, before + first, i);
  __syncthreads();
  for (int i = 0; i < pulls * kinds_of_threads; ++i) {
    pull(points + first, i % kinds_of_threads, static_cast<int>(threadIdx.x));
    __syncthreads();
  }
}

}  // namespace

Program cloth(bool broken) {
  static constexpr int frames = 28;
  static constexpr std::size_t count = std::size_t{cloths} * cloth_points;
  std::vector<float4> start(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i % cloth_points;
    start[i] = make_float4(0.03F * static_cast<float>(at % cloth_side),
                           0.03F * static_cast<float>(at / cloth_side),
                           0.01F * fraction(mixed(static_cast<unsigned>(i))), 0.0F);
  }
  auto* at_start = on_device<float4>(count);
  check(cudaMemcpy(at_start, start.data(), count * sizeof(float4), cudaMemcpyHostToDevice));
  auto* points = on_device<float4>(count);
  auto* before = on_device<float4>(count);
  cudaStream_t stream = new_stream();
  const auto round = [=] {
    for (float4* each : {points, before})
      check(cudaMemcpyAsync(each, at_start, count * sizeof(float4), cudaMemcpyDeviceToDevice,
                            stream));
    for (int frame = 0; frame < frames; ++frame) {
      if (!broken) {
        frame_kernel<<<cloths, cloth_threads, 0, stream>>>(points, before);
        launched();
        continue;
      }
      fall_kernel<<<cloths, cloth_threads, 0, stream>>>(points, before);
      launched();
      for (int i = 0; i < pulls * kinds_of_threads; ++i) {
        pull_kernel<<<cloths, cloth_threads, 0, stream>>>(points, i % kinds_of_threads);
        launched();
      }
    }
    check(cudaStreamSynchronize(stream));
  };
  return {round, [=] { return sum_on_device(reinterpret_cast<const float*>(points), 4 * count); }};
}

// insitu-render: simulates heat that spreads along lines and between them, step by step. At the
// same time, it draws pictures of an earlier state.
namespace {

constexpr int lines = 4096;
constexpr int line_cells = 512;
constexpr int picture_width = 3840;
constexpr int picture_height = 2160;

// Each thread solves the equations of one line.
__global__ void solve_lines(float* heat, float* scratch) {
  const int line = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  float factor = 0.0F;
  float value = 0.0F;
  for (int k = 0; k < line_cells; ++k) {
    const int i = k * lines + line;
    const float below = 1.0F / (2.4F - 0.7F * factor);
    factor = 0.7F * below;
    value = (heat[i] + 0.7F * value) * below;
    scratch[2 * i] = factor;
    scratch[2 * i + 1] = value;
  }
  float after = 0.0F;
  for (int k = line_cells - 1; k >= 0; --k) {
    const int i = k * lines + line;
    after = scratch[2 * i + 1] + scratch[2 * i] * after;
    heat[i] = after;
  }
}

__global__ void exchange_heat(const float* __restrict__ from, float* __restrict__ to) {
  const int line = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = 0; k < line_cells; ++k) {
    const float left = from[k * lines + (line + lines - 1) % lines];
    const float right = from[k * lines + (line + 1) % lines];
    to[k * lines + line] = 0.6F * from[k * lines + line] + 0.2F * (left + right) + 0.01F;
  }
}

__global__ void draw_volume(const float* __restrict__ snapshot, float* __restrict__ picture,
                            float angle) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const float along = cosf(angle);
  const float across = sinf(angle);
  const float u = static_cast<float>(x) / picture_width;
  const float v = static_cast<float>(y) / picture_height;
  float light = 0.0F;
  float left = 1.0F;
  for (int step = 0; step < 256; ++step) {
    const float depth = static_cast<float>(step) / 256.0F;
    const int line = static_cast<int>(4095.0F * fabsf(u * along - depth * across) * 0.7F);
    const int cell = static_cast<int>(511.0F * v);
    const float here = 0.02F * snapshot[cell * lines + line];
    light += left * here * (1.0F - 0.5F * depth);
    left *= 1.0F - here;
  }
  picture[y * picture_width + x] = light;
}

}  // namespace

Program insitu_render(bool broken) {
  static constexpr std::size_t steps = 32;
  static constexpr std::size_t cells = std::size_t{lines} * line_cells;
  static constexpr std::size_t pixels = std::size_t{picture_width} * picture_height;
  static constexpr int pictures = 5;
  const float* start = fractions(cells, 41);
  const float* snapshot = fractions(cells, 42);
  std::array<float*, 2> heat{on_device<float>(cells), on_device<float>(cells)};
  auto* scratch = on_device<float>(2 * cells);
  auto* picture = on_device<float>(pixels);
  int lowest = 0;
  int highest = 0;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
  cudaStream_t solver = nullptr;
  cudaStream_t drawing = nullptr;
  check(cudaStreamCreateWithPriority(&drawing, cudaStreamNonBlocking, lowest));
  check(cudaStreamCreateWithPriority(&solver, cudaStreamNonBlocking, broken ? lowest : highest));
  const auto round = [=] {
    for (int i = 0; i < pictures; ++i) {
      draw_volume<<<dim3(picture_width / 8, picture_height / 8), dim3(8, 8), 0, drawing>>>(
          snapshot, picture, 0.3F + 0.2F * static_cast<float>(i));
      launched();
    }
    check(cudaMemcpyAsync(heat[0], start, cells * sizeof(float), cudaMemcpyDeviceToDevice, solver));
    for (std::size_t step = 0; step < steps; ++step) {
      exchange_heat<<<lines / 256, 256, 0, solver>>>(heat[step % 2], heat[(step + 1) % 2]);
      launched();
      solve_lines<<<lines / 256, 256, 0, solver>>>(heat[(step + 1) % 2], scratch);
      launched();
    }
    check(cudaStreamSynchronize(solver));
    check(cudaStreamSynchronize(drawing));
  };
  return {round, [=] {
            return sum_on_device(heat[steps % 2], cells, 3) + sum_on_device(picture, pixels, 5);
          }};
}

}  // namespace sealed
