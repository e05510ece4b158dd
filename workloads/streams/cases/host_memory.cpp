// What kind of host memory the copies use. From pageable memory the driver copies piece by piece
// through a pinned buffer of its own, and the call returns only when that is done.

#include "workloads/harness/buffers.h"
#include "workloads/harness/timing.h"
#include "workloads/streams/cases/families.h"
#include "workloads/streams/suite/pipeline_case.h"

namespace lapscope::workloads::streams {
namespace {

// A copy of a tile between pageable memory and the device, with the wait for it. The second of two
// tiles: the first pays for the driver's own set-up.
double pageable_copy_us(const Shape& shape, cudaMemcpyKind kind) {
  const HostBuffer host(2 * shape.tile_elements(), HostMemory::pageable);
  const DeviceBuffer<std::uint32_t> device(shape.tile_elements());
  const Stream stream(StreamKind::non_blocking);
  double us = 0;
  for (std::size_t tile = 0; tile < 2; ++tile) {
    std::uint32_t* const words = host.data() + tile * shape.tile_elements();
    const bool in = kind == cudaMemcpyHostToDevice;
    us = host_us([&] {
      check(cudaMemcpyAsync(in ? device.data() : words, in ? words : device.data(),
                            shape.tile_bytes(), kind, stream.get()),
            "copy pageable memory for the calibration");
      check(cudaStreamSynchronize(stream.get()), "wait for a calibration");
    });
  }
  return us;
}

// The copies in follow each other, since the host makes them; the rest of a tile hides behind the
// next copy.
Expectation staged_in(const PartTimes& parts, const Shape& shape) {
  const double rest = parts.kernel_us + parts.d2h_us;
  return {shape.tiles * parts.planted_us + rest, shape.tiles * (parts.planted_us + rest)};
}

// The host cannot issue the next tile before it has copied this one out.
Expectation staged_out(const PartTimes& parts, const Shape& shape) {
  const double tile = parts.h2d_us + parts.kernel_us + parts.planted_us;
  return {shape.tiles * tile, shape.tiles * tile};
}

void read_pageable(Recipe& recipe, const Setting& setting, HostMemory fixed) {
  recipe.input = setting.broken() ? HostMemory::pageable : fixed;
  if (!setting.broken()) return;
  recipe.planted_us = [shape = setting.shape] {
    return pageable_copy_us(shape, cudaMemcpyHostToDevice);
  };
}

Case loose(Case result) {
  result.variants.front().wall_tolerance = 0.25;
  result.variants.front().overlap_tolerance = 0.15;
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
        recipe.planted_us = [shape = setting.shape] {
          return pageable_copy_us(shape, cudaMemcpyDeviceToHost);
        };
      }));
}

}  // namespace

std::vector<Case> host_memory_cases() { return {pinned(), registered(), output()}; }

}  // namespace lapscope::workloads::streams
