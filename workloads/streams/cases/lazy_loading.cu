// Kernels that are used for the first time in the loop. Since CUDA 12 a kernel is loaded then,
// unless CUDA_MODULE_LOADING says otherwise.

#include <array>
#include <memory>
#include <utility>

#include "workloads/harness/timing.h"
#include "workloads/streams/cases/families.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/tile_records.h"

namespace lapscope::workloads::streams {

// A kernel of its own for each tile, as programs have for each data type or size. They do the same,
// and the number keeps the compiler from merging them.
template <std::size_t number>
__global__ void set_record(std::uint32_t* record, std::uint32_t value, std::uint32_t expected) {
  if (expected == number) record[threadIdx.x] = value;
}

namespace {

using SetRecord = void (*)(std::uint32_t*, std::uint32_t, std::uint32_t);

template <std::size_t... numbers>
constexpr auto kernels_of(std::index_sequence<numbers...>) {
  return std::array<SetRecord, sizeof...(numbers)>{set_record<numbers>...};
}

// The last one is for the calibration.
constexpr std::size_t kernel_count = 32;
constexpr std::array<SetRecord, kernel_count> kernels =
    kernels_of(std::make_index_sequence<kernel_count>());

void load(std::size_t number) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernels[number]), "load a kernel");
}

Expectation serial_with_loading(const PartTimes& parts, const Shape& shape) {
  return one_after_the_other(parts, shape, parts.planted_us);
}

}  // namespace

std::vector<Case> lazy_loading_cases() {
  Case result = pipeline_pair(
      {.name = "lazy-loading",
       .wrong = "Each tile ends with a kernel that is used for the first time: loading it holds up "
                "the host, and may wait for the device.",
       .fix = "Load the kernels before the loop, with cudaFuncGetAttributes or "
              "CUDA_MODULE_LOADING=EAGER."},
      Cause::module_load, serial_with_loading, [](Recipe& recipe, const Setting& setting) {
        recipe.planted_us = [] { return host_us([] { load(kernel_count - 1); }); };
        const auto records = std::make_shared<TileRecords>(setting.shape);
        if (!setting.broken()) {
          for (std::size_t number = 0; number + 1 < kernel_count; ++number) load(number);
        }
        // Not a step, which the calibration would run and so load.
        recipe.after = [=](const TileJob& job) {
          std::uint32_t* record = records->of(job.tile);
          std::uint32_t value =
              0x01010101U * static_cast<std::uint32_t>(TileRecords::byte_of(job.tile));
          auto number = static_cast<std::uint32_t>(job.tile);
          void* arguments[] = {&record, &value, &number};
          check(cudaLaunchKernel(reinterpret_cast<const void*>(kernels[job.tile]), dim3(1),
                                 dim3(TileRecords::words), arguments, 0, job.stream),
                "launch a kernel for the first time");
        };
        recipe.verify = [=] { records->verify(); };
        recipe.clear = [=] { records->clear(); };
      });
  result.most_tiles = kernel_count - 1;
  result.once = true;
  result.variants.front().environment = {{"CUDA_MODULE_LOADING", "LAZY"}};
  result.variants.front().wall_tolerance = 0.4;
  result.variants.front().overlap_tolerance = 0.6;
  result.variants.back().environment = {{"CUDA_MODULE_LOADING", "LAZY"}};
  return {result};
}

}  // namespace lapscope::workloads::streams
