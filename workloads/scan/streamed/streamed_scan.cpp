#include "workloads/scan/streamed/streamed_scan.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>

#include "workloads/harness/cuda_check.h"
#include "workloads/harness/measured_region.h"
#include "workloads/scan/bench/memory.h"
#include "workloads/scan/problem/reference.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/streamed/carry_kernel.h"

namespace lapscope::workloads::scan {
namespace {

constexpr Combination combination{ElementType::u32, Operator::sum};

// Looks for the memory before anything is allocated.
std::vector<Chunk> planned(const StreamedOptions& options, int lanes) {
  const Memory needed = memory_for(options);
  require_memory(options.n, needed.host_bytes, free_memory_of_host(), "host");
  require_memory(options.n, needed.device_bytes, free_device_memory(), "device");
  return plan_chunks(options.n, elements_of(options.chunk_mib), static_cast<std::size_t>(lanes));
}

}  // namespace

StreamedScan::Lane::Lane(StreamKind kind, std::uint64_t count) : stream(kind), data(count) {}

StreamedScan::StreamedScan(const StreamedOptions& options)
    : layout_(layout_of(options.variant, options.streams)),
      plan_(planned(options, layout_.streams)),
      input_(options.n),
      output_(options.n),
      carries_(plan_.size() + 1),
      carried_(plan_.size()) {
  fill_host(combination, Fill::random, input_.data(), options.n);
  std::ranges::fill(output_.span(), 0U);
  check(cudaMemset(carries_.data(), 0, sizeof(std::uint32_t)), "clear the first carry");
  prepare_carry();
  lanes_.reserve(static_cast<std::size_t>(layout_.streams));
  for (int i = 0; i < layout_.streams; ++i) {
    lanes_.emplace_back(layout_.kind, plan_.front().count);
  }
  // One scan per lane, of any content: it loads the kernel and allocates the workspace.
  for (const Chunk& chunk : plan_) {
    if (chunk.index < lanes_.size()) scan_chunk(chunk);
  }
  check(cudaDeviceSynchronize(), "wait for the set-up");
  MeasuredRegion::prepare();
}

double StreamedScan::run() {
  using Clock = std::chrono::steady_clock;
  const MeasuredRegion region("streamed scan");
  const auto begin = Clock::now();
  for (const Chunk& chunk : plan_) enqueue(chunk);
  check(cudaDeviceSynchronize(), "wait for the streamed scan");
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void StreamedScan::scan_chunk(const Chunk& chunk) {
  Lane& lane = lanes_[chunk.lane];
  contender.scan({.combination = combination,
                  .in = lane.data.data(),
                  .out = lane.data.data(),
                  .n = chunk.count,
                  .workspace = &lane.workspace,
                  .stream = lane.stream.get(),
                  .seed = carries_.data() + chunk.index});
}

void StreamedScan::enqueue(const Chunk& chunk) {
  const NvtxRange range(chunk.label.c_str());
  const Lane& lane = lanes_[chunk.lane];
  const cudaStream_t stream = lane.stream.get();
  std::uint32_t* const data = lane.data.data();
  const std::size_t bytes = chunk.count * sizeof(std::uint32_t);

  check(cudaMemcpyAsync(data, input_.data() + chunk.offset, bytes, cudaMemcpyHostToDevice, stream),
        "copy a chunk to the device");
  // The only order between streams that the work needs: after the carry, not after the copy out.
  if (chunk.index > 0 && !layout_.carry_in_default_stream) {
    carried_[chunk.index - 1].hold(stream);
  }
  scan_chunk(chunk);
  // The planted cause of legacy-carry: in the legacy default stream, this kernel waits for all work
  // of the blocking streams, and all their later work waits for it.
  const cudaStream_t carry_stream = layout_.carry_in_default_stream ? cudaStreamLegacy : stream;
  hand_on_carry(data + chunk.count - 1, carries_.data() + chunk.index + 1, carry_stream);
  carried_[chunk.index].record(carry_stream);
  check(cudaMemcpyAsync(output_.data() + chunk.offset, data, bytes, cudaMemcpyDeviceToHost, stream),
        "copy a chunk to the host");
}

void StreamedScan::verify() const {
  const auto wrong =
      find_wrong_on_host({.combination = combination}, output_.data(), output_.span().size());
  if (!wrong) return;
  throw std::runtime_error("wrong result: element " + std::to_string(*wrong));
}

}  // namespace lapscope::workloads::scan
