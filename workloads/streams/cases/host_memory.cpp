// Cases about the kind of host memory that is copied. The driver copies pageable memory piece by
// piece through its own pinned buffer. The call returns only when all pieces are copied.

#include "workloads/harness/handles.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/pipeline_case.h"

namespace lapscope::workloads::streams {
namespace {

// Tiles for the calibration. As in the run, the tiles in `host` are not in the caches of the CPU:
// the constructor writes `later` after `host`, and this removes `host` from the caches.
struct ColdTiles {
  explicit ColdTiles(const Shape& shape)
      : tiles(static_cast<std::size_t>(shape.tiles)),
        elements(shape.tile_elements()),
        bytes(shape.tile_bytes()),
        host(tiles * elements, HostMemory::pageable),
        later(tiles * elements, HostMemory::pageable),
        device(elements) {}

  std::size_t tiles;
  std::size_t elements;
  std::size_t bytes;
  HostBuffer host;
  HostBuffer later;
  DeviceBuffer<std::uint32_t> device;
  Stream stream{StreamKind::non_blocking};

  // Returns as soon as cudaMemcpyAsync returns.
  void copy(std::size_t tile, cudaMemcpyKind kind) const {
    std::uint32_t* const words = host.data() + tile * elements;
    const bool in = kind == cudaMemcpyHostToDevice;
    check(cudaMemcpyAsync(in ? device.data() : words, in ? words : device.data(), bytes, kind,
                          stream.get()),
          "copy pageable memory for the calibration");
  }
};

// Returns the mean time of a copy to the device, in us. Copies one tile after the other. An extra
// copy before them sets up the driver.
double pageable_copy_in_us(const Shape& shape) {
  const ColdTiles cold(shape);
  cold.copy(0, cudaMemcpyHostToDevice);
  return host_us([&] {
           for (std::size_t tile = 0; tile < cold.tiles; ++tile) {
             cold.copy(tile, cudaMemcpyHostToDevice);
           }
           check(cudaStreamSynchronize(cold.stream.get()), "wait for a calibration");
         }) /
         static_cast<double>(cold.tiles);
}

// Returns the mean time of a copy to the host, over all tiles, in us. The copy waits for a kernel,
// as in the run. The time is from the end of the kernel to the return of the call.
double pageable_copy_out_us(const Shape& shape) {
  const ColdTiles cold(shape);
  const StampKernel before;
  const PinnedBuffer<std::uint32_t> slot(1);
  constexpr std::chrono::microseconds length(200);
  cold.copy(0, cudaMemcpyDeviceToHost);
  double us = 0;
  for (std::size_t tile = 0; tile < cold.tiles; ++tile) {
    us += host_us([&] {
      before.launch(slot.data(), 1, length, cold.stream.get());
      cold.copy(tile, cudaMemcpyDeviceToHost);
    });
  }
  return us / static_cast<double>(cold.tiles) - static_cast<double>(length.count());
}

// The host makes the copies to the device, one after the other. The kernel of a tile and its copy
// to the host overlap with the next tile's copy to the device.
Expectation staged_in(const PartTimes& parts, const Shape& shape) {
  const double rest = parts.kernel_us + parts.d2h_us;
  return {shape.tiles * parts.planted_us + rest, shape.tiles * (parts.planted_us + rest)};
}

// The host issues a tile only after it has copied the previous tile out.
Expectation staged_out(const PartTimes& parts, const Shape& shape) {
  const double tile = parts.h2d_us + parts.kernel_us + parts.planted_us;
  return {shape.tiles * tile, shape.tiles * tile};
}

void read_pageable(Recipe& recipe, const Setting& setting, HostMemory fixed) {
  recipe.input = setting.broken() ? HostMemory::pageable : fixed;
  if (!setting.broken()) return;
  recipe.planted_us = [shape = setting.shape] { return pageable_copy_in_us(shape); };
}

// The host makes these copies. Their speed depends on what else uses the host's memory.
Case loose(Case result) {
  result.variants.front().wall_tolerance = 0.15;
  result.needs.host_copies = 4;  // Including those of ColdTiles.
  return result;
}

Case pinned() {
  return loose(pipeline_pair(
      {.name = "pageable-copy",
       .wrong = "The input lies in pageable memory, so that cudaMemcpyAsync is not asynchronous.",
       .fix = "Allocate the input with cudaMallocHost."},
      Cause::pageable_copy, staged_in, [](Recipe& recipe, const Setting& setting) {
        read_pageable(recipe, setting, HostMemory::pinned);
      }));
}

Case registered() {
  return loose(pipeline_pair(
      {.name = "pageable-registered",
       .wrong = "The input comes from elsewhere in pageable memory, and is copied as it is.",
       .fix = "Page-lock it in place with cudaHostRegister, once, before the loop."},
      Cause::pageable_copy, staged_in, [](Recipe& recipe, const Setting& setting) {
        read_pageable(recipe, setting, HostMemory::registered);
      }));
}

Case output() {
  return loose(pipeline_pair(
      {.name = "pageable-output",
       .wrong = "The output lies in pageable memory: the host waits in each copy out.",
       .fix = "Allocate the output with cudaMallocHost."},
      Cause::pageable_copy, staged_out, [](Recipe& recipe, const Setting& setting) {
        if (!setting.broken()) return;
        recipe.output = HostMemory::pageable;
        recipe.planted_us = [shape = setting.shape] { return pageable_copy_out_us(shape); };
      }));
}

}  // namespace

std::vector<Case> host_memory_cases() { return {pinned(), registered(), output()}; }

}  // namespace lapscope::workloads::streams
