// Kernels that are first used in the loop. By default, CUDA 12 and later load a kernel at its first
// use. CUDA_MODULE_LOADING can change this.

#include <array>
#include <memory>
#include <utility>

#include "workloads/harness/handles.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"
#include "workloads/streams/suite/tile_records.h"

namespace lapscope::workloads::streams {

// Each tile has its own kernel, as programs have a kernel for each data type or size. All these
// kernels do the same. `number` prevents the compiler from merging them.
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

// The calibration measures the first launch of kernel number `to_measure`. Before this, the
// calibration loads kernel number `to_begin_with`, because the first load in a process also loads
// data that all kernels share.
constexpr std::size_t kernel_count = 32;
constexpr std::size_t to_begin_with = kernel_count - 1;
constexpr std::size_t to_measure = kernel_count - 2;
constexpr std::array<SetRecord, kernel_count> kernels =
    kernels_of(std::make_index_sequence<kernel_count>());

void load(std::size_t number) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernels[number]), "load a kernel");
}

void launch(std::size_t number, std::uint32_t* record, std::uint32_t value, cudaStream_t stream) {
  auto expected = static_cast<std::uint32_t>(number);
  void* arguments[] = {&record, &value, &expected};
  check(cudaLaunchKernel(reinterpret_cast<const void*>(kernels[number]), dim3(1),
                         dim3(TileRecords::words), arguments, 0, stream),
        "launch a kernel for the first time");
}

// Launches a kernel for the first time, while a busy kernel runs in the stream. Returns the time
// from the end of the busy kernel to the end of the launched kernel, in us. This time includes work
// of the host only if the work waits for the busy kernel.
double first_launch_us(const TileRecords& records) {
  const StampKernel busy;
  const PinnedBuffer<std::uint32_t> slot(1);
  const Stream stream(StreamKind::non_blocking);
  Event begin;
  Event end;
  load(to_begin_with);
  busy.launch(slot.data(), 1, std::chrono::milliseconds(1), stream.get());
  begin.record(stream.get());
  launch(to_measure, records.of(0), 0, stream.get());
  end.record(stream.get());
  check(cudaStreamSynchronize(stream.get()), "wait for a calibration");
  return end.us_since(begin);
}

// Loading puts code on the device. Loading waits for all earlier work of all streams, and all later
// work of all streams waits for loading.
Expectation serial_with_loading(const PartTimes& parts, const Shape& shape) {
  return one_after_the_other(parts, shape, parts.hand_over_us + parts.planted_us);
}

}  // namespace

std::vector<Case> lazy_loading_cases() {
  Case result = pipeline_pair(
      {.name = "lazy-loading",
       .wrong =
           "Each tile ends with a kernel that is used for the first time: its code goes to the "
           "device after all work before it, in any stream, and before all work after it.",
       .fix = "Load the kernels before the loop, with cudaFuncGetAttributes or "
              "CUDA_MODULE_LOADING=EAGER."},
      Cause::module_load, serial_with_loading, [](Recipe& recipe, const Setting& setting) {
        const auto records = std::make_shared<TileRecords>(setting.shape);
        recipe.planted_us = [=] { return first_launch_us(*records); };
        if (!setting.broken()) {
          for (std::size_t number = 0; number < to_measure; ++number) load(number);
        }
        // This is not in `step`: the calibration runs steps, and would load the kernels.
        recipe.after = [=](const TileJob& job) {
          const auto byte = static_cast<std::uint32_t>(TileRecords::byte_of(job.tile));
          PLANTED("lazy-loading",
                  launch(job.tile, records->of(job.tile), 0x01010101U * byte, job.stream));
        };
        recipe.verify = [=] { records->verify(); };
        recipe.clear = [=] { records->clear(); };
      });
  result.most_tiles = to_measure;
  result.once = true;
  result.variants.front().environment = {{"CUDA_MODULE_LOADING", "LAZY"}};
  result.variants.back().environment = {{"CUDA_MODULE_LOADING", "LAZY"}};
  return {result};
}

}  // namespace lapscope::workloads::streams
