#include "tests/gpu/programs/sealed/programs.cuh"

#include <array>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace sealed {

// transcode: copies frames of a camera in, denoises them, converts them to RGB and copies them out.
namespace {

constexpr int frame_width = 1920;
constexpr int frame_height = 1080;
constexpr std::size_t nv12_bytes = std::size_t{frame_width} * frame_height * 3 / 2;
constexpr std::size_t rgb_bytes = std::size_t{frame_width} * frame_height * 3;

__device__ unsigned char to_byte(float value) {
  return static_cast<unsigned char>(fminf(fmaxf(value, 0.0F), 255.0F));
}

__global__ void denoise_to_rgb(const unsigned char* __restrict__ nv12,
                               unsigned char* __restrict__ rgb, float gain) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= frame_width || y >= frame_height) return;
  const float here = nv12[y * frame_width + x];
  float sum = 0.0F;
  float weights = 0.0F;
  for (int dy = -3; dy <= 3; ++dy) {
    for (int dx = -3; dx <= 3; ++dx) {
      const int from_x = min(max(x + dx, 0), frame_width - 1);
      const int from_y = min(max(y + dy, 0), frame_height - 1);
      const float value = nv12[from_y * frame_width + from_x];
      const float apart = (value - here) * 0.05F;
      const float weight = __expf(-0.1F * static_cast<float>(dx * dx + dy * dy) - apart * apart);
      sum += weight * value;
      weights += weight;
    }
  }
  const float luma = gain * sum / weights;
  const unsigned char* chroma =
      nv12 + frame_width * frame_height + (y / 2) * frame_width + (x / 2) * 2;
  const float u = static_cast<float>(chroma[0]) - 128.0F;
  const float v = static_cast<float>(chroma[1]) - 128.0F;
  unsigned char* out = rgb + 3 * (y * frame_width + x);
  out[0] = to_byte(luma + 1.402F * v);
  out[1] = to_byte(luma - 0.344F * u - 0.714F * v);
  out[2] = to_byte(luma + 1.772F * u);
}

}  // namespace

Program transcode(bool broken) {
  static constexpr std::size_t frames = 48;
  static constexpr std::size_t kept_frames = 12;  // A multiple of the slots.
  static constexpr std::size_t slots = 3;
  struct Slot {
    unsigned char* nv12;
    unsigned char* rgb;
    cudaStream_t stream;
  };
  auto* camera = pinned<unsigned char>(kept_frames * nv12_bytes);
  auto* words = reinterpret_cast<unsigned*>(camera);
  for (std::size_t i = 0; i < kept_frames * nv12_bytes / sizeof(unsigned); ++i)
    words[i] = mixed(static_cast<unsigned>(i));
  auto* out = pinned<unsigned char>(kept_frames * rgb_bytes);
  cudaStream_t only = new_stream();
  std::array<Slot, slots> all{};
  for (Slot& slot : all) {
    slot.nv12 = on_device<unsigned char>(nv12_bytes);
    slot.rgb = on_device<unsigned char>(rgb_bytes);
    slot.stream = broken ? only : new_stream();
  }
  const auto round = [=] {
    const dim3 block(32, 8);
    const dim3 grid(frame_width / 32, frame_height / 8);
    for (std::size_t frame = 0; frame < frames; ++frame) {
      const Slot& slot = all[frame % slots];
      const std::size_t place = frame % kept_frames;
      check(cudaMemcpyAsync(slot.nv12, camera + place * nv12_bytes, nv12_bytes,
                            cudaMemcpyHostToDevice, slot.stream));
      const float gain = 0.8F + 0.005F * static_cast<float>(frame);
      denoise_to_rgb<<<grid, block, 0, slot.stream>>>(slot.nv12, slot.rgb, gain);
      launched();
      check(cudaMemcpyAsync(out + place * rgb_bytes, slot.rgb, rgb_bytes, cudaMemcpyDeviceToHost,
                            slot.stream));
    }
    for (const Slot& slot : all) check(cudaStreamSynchronize(slot.stream));
  };
  return {round, [=] { return sum_on_host(out, kept_frames * rgb_bytes, 37); }};
}

// thumbnails: three threads make thumbnails of photographs and hash each thumbnail.
namespace {

constexpr int photo_side = 1024;
constexpr int thumbnail_side = 128;
constexpr std::size_t photo_bytes = std::size_t{photo_side} * photo_side * 3;
constexpr std::size_t thumbnail_bytes = std::size_t{thumbnail_side} * thumbnail_side * 3;

__device__ float lanczos(float x) {
  if (fabsf(x) < 1e-4F) return 1.0F;
  if (fabsf(x) >= 3.0F) return 0.0F;
  return 3.0F * sinpif(x) * sinpif(x / 3.0F) / (9.8696044F * x * x);
}

__global__ void shrink_photo(const unsigned char* __restrict__ photo,
                             unsigned char* __restrict__ thumbnail) {
  constexpr int scale = photo_side / thumbnail_side;
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int middle_x = x * scale + scale / 2;
  const int middle_y = y * scale + scale / 2;
  float sums[3] = {0.0F, 0.0F, 0.0F};
  float weights = 0.0F;
  for (int dy = -3 * scale; dy < 3 * scale; ++dy) {
    const int from_y = min(max(middle_y + dy, 0), photo_side - 1);
    const float weight_y = lanczos((static_cast<float>(dy) + 0.5F) / scale);
    for (int dx = -3 * scale; dx < 3 * scale; ++dx) {
      const int from_x = min(max(middle_x + dx, 0), photo_side - 1);
      const float weight = weight_y * lanczos((static_cast<float>(dx) + 0.5F) / scale);
      const unsigned char* pixel = photo + 3 * (from_y * photo_side + from_x);
      for (int c = 0; c < 3; ++c) sums[c] += weight * pixel[c];
      weights += weight;
    }
  }
  for (int c = 0; c < 3; ++c)
    thumbnail[3 * (y * thumbnail_side + x) + c] = to_byte(sums[c] / weights);
}

unsigned bytes_hash(const unsigned char* bytes, std::size_t count) {
  unsigned hash = 2166136261U;
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * 16777619U;
  return hash;
}

}  // namespace

Program thumbnails(bool broken) {
  static constexpr std::size_t workers = 3;
  static constexpr std::size_t photos = 48;
  static constexpr std::size_t kept_photos = 8;
  struct Worker {
    unsigned char* photo;
    unsigned char* thumbnail;
    unsigned char* result;
    cudaStream_t stream;
  };
  auto* album = pinned<unsigned char>(kept_photos * photo_bytes);
  auto* words = reinterpret_cast<unsigned*>(album);
  for (std::size_t i = 0; i < kept_photos * photo_bytes / sizeof(unsigned); ++i)
    words[i] = mixed(static_cast<unsigned>(i) + 77U);
  cudaStream_t shared = new_stream();
  std::array<Worker, workers> all{};
  for (Worker& worker : all) {
    worker.photo = on_device<unsigned char>(photo_bytes);
    worker.thumbnail = on_device<unsigned char>(thumbnail_bytes);
    worker.result = pinned<unsigned char>(thumbnail_bytes);
    worker.stream = broken ? shared : new_stream();
  }
  auto hashes = std::make_shared<std::vector<unsigned>>(photos);
  const auto make_thumbnails = [=](std::size_t first) {
    const Worker& worker = all[first];
    const dim3 block(16, 16);
    const dim3 grid(thumbnail_side / 16, thumbnail_side / 16);
    for (std::size_t photo = first; photo < photos; photo += workers) {
      check(cudaMemcpyAsync(worker.photo, album + photo % kept_photos * photo_bytes, photo_bytes,
                            cudaMemcpyHostToDevice, worker.stream));
      shrink_photo<<<grid, block, 0, worker.stream>>>(worker.photo, worker.thumbnail);
      launched();
      check(cudaMemcpyAsync(worker.result, worker.thumbnail, thumbnail_bytes,
                            cudaMemcpyDeviceToHost, worker.stream));
      check(cudaStreamSynchronize(worker.stream));
      (*hashes)[photo] = bytes_hash(worker.result, thumbnail_bytes);
    }
  };
  const auto round = [=] {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < workers; ++i) threads.emplace_back(make_thumbnails, i);
    for (std::thread& thread : threads) thread.join();
  };
  return {round, [=] { return sum_on_host(hashes->data(), photos); }};
}

// frame-timing: a video stabilizer finds how each frame moved, and moves it back. The program logs
// the time of each frame.
namespace {

constexpr int view_width = 1280;
constexpr int view_height = 720;
constexpr int blocks_across = view_width / 32;
constexpr int blocks_down = view_height / 32 - 1;  // Without the last rows.

// Each block finds how a part of 32 by 32 pixels has moved since the previous frame.
__global__ void match_blocks(const float* __restrict__ before, const float* __restrict__ now,
                             int* moves) {
  __shared__ float part[32][32];
  __shared__ unsigned long long best;
  const int left = static_cast<int>(blockIdx.x) * 32;
  const int top = static_cast<int>(blockIdx.y) * 32;
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < 1024; i += 256)
    part[i / 32][i % 32] = now[(top + i / 32) * view_width + left + i % 32];
  if (thread == 0) best = ~0ULL;
  __syncthreads();
  // Each thread tries one of 16 by 16 moves.
  const int move_x = thread % 16 - 8;
  const int move_y = thread / 16 - 8;
  float apart = 0.0F;
  for (int y = 0; y < 32; ++y) {
    const int from_y = min(max(top + y + move_y, 0), view_height - 1);
    for (int x = 0; x < 32; ++x) {
      const int from_x = min(max(left + x + move_x, 0), view_width - 1);
      apart += fabsf(part[y][x] - before[from_y * view_width + from_x]);
    }
  }
  const unsigned long long candidate = static_cast<unsigned long long>(__float_as_uint(apart))
                                           << 32U |
                                       static_cast<unsigned long long>(thread);
  atomicMin(&best, candidate);
  __syncthreads();
  if (thread == 0)
    moves[blockIdx.y * gridDim.x + blockIdx.x] = static_cast<int>(best & 0xffffffffU);
}

__global__ void mean_move(const int* moves, int count, float2* path, int frame) {
  __shared__ int sum_x;
  __shared__ int sum_y;
  if (threadIdx.x == 0) sum_x = sum_y = 0;
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
    atomicAdd(&sum_x, moves[i] % 16 - 8);
    atomicAdd(&sum_y, moves[i] / 16 - 8);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  const float2 before = frame == 0 ? make_float2(0.0F, 0.0F) : path[frame - 1];
  path[frame] = make_float2(before.x + static_cast<float>(sum_x) / static_cast<float>(count),
                            before.y + static_cast<float>(sum_y) / static_cast<float>(count));
}

__global__ void straighten(const float* __restrict__ now, float* __restrict__ out,
                           const float2* path, int frame, float zoom) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= view_width || y >= view_height) return;
  const float from_x = fminf(fmaxf(zoom * static_cast<float>(x) + path[frame].x, 0.0F),
                             static_cast<float>(view_width) - 1.001F);
  const float from_y = fminf(fmaxf(zoom * static_cast<float>(y) + path[frame].y, 0.0F),
                             static_cast<float>(view_height) - 1.001F);
  const int left = static_cast<int>(from_x);
  const int top = static_cast<int>(from_y);
  const float right_share = from_x - static_cast<float>(left);
  const float low_share = from_y - static_cast<float>(top);
  const float* at = now + top * view_width + left;
  const float high = at[0] + right_share * (at[1] - at[0]);
  const float low = at[view_width] + right_share * (at[view_width + 1] - at[view_width]);
  out[y * view_width + x] = high + low_share * (low - high);
}

// Returns the factor by which the frame is enlarged. The factor changes smoothly from frame to
// frame.
float smooth_zoom(int frame) {
  double sum = 0.0;
  for (int i = 0; i < 3000; ++i)
    sum += std::sin(0.001 * (frame + i)) * std::exp(-0.002 * i) * 0.001;
  return static_cast<float>(0.95 + 0.01 * sum);
}

}  // namespace

Program frame_timing(bool broken) {
  static constexpr int frames = 50;
  static constexpr int kept_frames = 6;
  static constexpr std::size_t pixels = std::size_t{view_width} * view_height;
  const float* film = fractions(kept_frames * pixels, 5);
  auto* out = on_device<float>(pixels);
  auto* moves = on_device<int>(blocks_across * blocks_down);
  auto* path = on_device<float2>(frames);
  cudaStream_t stream = new_stream();
  std::vector<cudaEvent_t> begins(frames);
  std::vector<cudaEvent_t> ends(frames);
  for (cudaEvent_t& event : begins) check(cudaEventCreate(&event));
  for (cudaEvent_t& event : ends) check(cudaEventCreate(&event));
  auto log_ms = std::make_shared<std::vector<float>>(frames);
  const auto log_frame = [=](int frame) {
    const auto at = static_cast<std::size_t>(frame);
    check(cudaEventElapsedTime(&(*log_ms)[at], begins[at], ends[at]));
  };
  const auto round = [=] {
    const dim3 block(32, 8);
    const dim3 grid(view_width / 32, view_height / 8);
    for (int frame = 0; frame < frames; ++frame) {
      const auto at = static_cast<std::size_t>(frame);
      const float zoom = smooth_zoom(frame);
      const float* now = film + static_cast<std::size_t>((frame + 1) % kept_frames) * pixels;
      const float* before = film + static_cast<std::size_t>(frame % kept_frames) * pixels;
      check(cudaEventRecord(begins[at], stream));
      match_blocks<<<dim3(blocks_across, blocks_down), 256, 0, stream>>>(before, now, moves);
      launched();
      mean_move<<<1, 256, 0, stream>>>(moves, blocks_across * blocks_down, path, frame);
      launched();
      straighten<<<grid, block, 0, stream>>>(now, out, path, frame, zoom);
      launched();
      check(cudaEventRecord(ends[at], stream));
      if (broken) {
        check(cudaEventSynchronize(ends[at]));
        log_frame(frame);
      }
    }
    check(cudaStreamSynchronize(stream));
    if (!broken) {
      for (int frame = 0; frame < frames; ++frame) log_frame(frame);
    }
  };
  return {round, [=] {
            return sum_on_device(out, pixels) +
                   sum_on_device(reinterpret_cast<const float*>(path), 2 * frames);
          }};
}

// ray-tiles: the GPU computes tiles of a picture. A second host thread takes the complete tiles.
namespace {

constexpr int tile_side = 512;
constexpr std::size_t tile_floats = std::size_t{tile_side} * tile_side * 4;

__device__ float distance_to_scene(float x, float y, float z) {
  // Spheres on a lattice, and waves on them.
  const float cell_x = x - 4.0F * rintf(x * 0.25F);
  const float cell_y = y - 4.0F * rintf(y * 0.25F);
  const float cell_z = z - 4.0F * rintf(z * 0.25F);
  const float radius = sqrtf(cell_x * cell_x + cell_y * cell_y + cell_z * cell_z);
  return radius - 1.2F + 0.05F * __sinf(9.0F * x) * __sinf(9.0F * y) * __sinf(9.0F * z);
}

__global__ void march_tile(float4* pixels, int tile_x, int tile_y) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const float u = static_cast<float>(tile_x * tile_side + x) / 2048.0F - 1.0F;
  const float v = static_cast<float>(tile_y * tile_side + y) / 2048.0F - 0.5F;
  const float length = rsqrtf(u * u + v * v + 1.0F);
  float way = 0.0F;
  float glow = 0.0F;
  int steps = 0;
  for (; steps < 192 && way < 60.0F; ++steps) {
    const float apart =
        distance_to_scene(2.0F + u * length * way, 2.0F + v * length * way, length * way);
    if (apart < 0.0005F) break;
    glow += __expf(-8.0F * apart);
    way += 0.35F * apart;
  }
  pixels[y * tile_side + x] =
      make_float4(glow, way, static_cast<float>(steps) / 192.0F, __expf(-0.05F * way));
}

struct Tile {
  float* memory = nullptr;
  cudaEvent_t done = nullptr;
  std::size_t number = 0;
};

// What two threads hand to each other.
template <class T>
class Handover {
 public:
  void give(T value) {
    {
      const std::lock_guard lock(mutex_);
      values_.push_back(value);
    }
    changed_.notify_one();
  }
  T take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !values_.empty(); });
    T value = values_.front();
    values_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> values_;
};

}  // namespace

Program ray_tiles(bool broken) {
  static constexpr std::size_t across = 8;
  static constexpr std::size_t tiles = 32;
  static constexpr std::size_t in_flight = 3;
  static constexpr std::size_t streams = 2;
  std::array<cudaStream_t, streams> stream{new_stream(), new_stream()};
  std::array<float4*, streams> pixels{on_device<float4>(tile_floats / 4),
                                      on_device<float4>(tile_floats / 4)};
  std::vector<cudaEvent_t> done(tiles);
  for (cudaEvent_t& event : done) event = new_event();
  auto empty = std::make_shared<Handover<float*>>();
  auto full = std::make_shared<Handover<Tile>>();
  auto sums = std::make_shared<std::vector<double>>(tiles);
  for (std::size_t i = 0; i < in_flight; ++i) empty->give(pinned<float>(tile_floats));
  const auto write_tiles = [=] {
    for (std::size_t i = 0; i < tiles; ++i) {
      const Tile tile = full->take();
      check(cudaEventSynchronize(tile.done));
      double sum = 0.0;
      for (std::size_t k = 0; k < tile_floats; k += 16) sum += tile.memory[k] + tile.memory[k + 1];
      (*sums)[tile.number] = sum;
      if (broken) {
        void* next = nullptr;
        check(cudaFreeHost(tile.memory));
        check(cudaMallocHost(&next, tile_floats * sizeof(float)));
        empty->give(static_cast<float*>(next));
      } else {
        empty->give(tile.memory);
      }
    }
  };
  const auto round = [=] {
    std::thread writer(write_tiles);
    for (std::size_t i = 0; i < tiles; ++i) {
      const std::size_t slot = i % streams;
      float* memory = empty->take();
      march_tile<<<dim3(tile_side / 16, tile_side / 8), dim3(16, 8), 0, stream[slot]>>>(
          pixels[slot], static_cast<int>(i % across), static_cast<int>(i / across));
      launched();
      check(cudaMemcpyAsync(memory, pixels[slot], tile_floats * sizeof(float),
                            cudaMemcpyDeviceToHost, stream[slot]));
      check(cudaEventRecord(done[i], stream[slot]));
      full->give({memory, done[i], i});
    }
    writer.join();
  };
  return {round, [=] { return sum_on_host(sums->data(), tiles); }};
}

}  // namespace sealed
