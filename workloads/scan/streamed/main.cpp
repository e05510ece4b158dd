// Scans an array that is larger than its buffers on the GPU, in streams (see --help).

#include <algorithm>
#include <chrono>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/workload_report.h"
#include "workloads/scan/rungs/rung.h"
#include "workloads/scan/streamed/plan.h"

namespace lapscope::workloads::scan {
namespace {

// Inclusive scan of an array in host memory, chunk by chunk: copy in, scan, pass the carry to the
// next chunk, copy out. The carry stays on the device. The host does not wait between chunks.
//
// Let N be the number of chunks, and h, k, d the times to copy in, scan and copy out a chunk. One
// stream takes about N (h + k + d). Several streams take about (h + k + d) + (N - 1) max(h, k, d).
// A scan waits for the carry of the previous scan. Copies do not wait for it.
class StreamedScan {
 public:
  // Does all set-up: allocates, writes the input, and makes a first scan to load the kernels.
  explicit StreamedScan(const StreamedOptions& options);

  // Scans the array. Returns the wall time by the host's clock, in ms.
  double run();

  // Checks every element of the latest run. Throws std::runtime_error if one is wrong.
  void verify() const;

  std::size_t chunks() const { return plan_.size(); }
  int streams() const { return layout_.streams; }

 private:
  // The objects of one stream.
  struct Lane {
    Lane(StreamKind kind, std::uint64_t count);
    Stream stream;
    DeviceBuffer<std::uint32_t> data;
    Workspace workspace;
  };

  void enqueue(const Chunk& chunk);
  void scan_chunk(const Chunk& chunk);

  StreamedLayout layout_;
  std::vector<Chunk> plan_;
  PinnedBuffer<std::uint32_t> input_;
  PinnedBuffer<std::uint32_t> output_;
  DeviceBuffer<std::uint32_t> carries_;  // carries_[i] is the sum of all chunks before chunk i.
  std::vector<Lane> lanes_;
  std::vector<OrderEvent> carried_;  // Recorded after chunk i has passed its carry on.
};

// Checks that memory suffices before anything is allocated.
std::vector<Chunk> planned(const StreamedOptions& options, int lanes) {
  require_memory(memory_for(options), free_memory(1), "give a smaller --n");
  return plan_chunks(options.n, options.chunk(), static_cast<std::size_t>(lanes));
}

StreamedScan::Lane::Lane(StreamKind kind, std::uint64_t count) : stream(kind), data(count) {}

StreamedScan::StreamedScan(const StreamedOptions& options)
    : layout_(layout_of(options.variant, options.streams)),
      plan_(planned(options, layout_.streams)),
      input_(options.n),
      output_(options.n),
      carries_(plan_.size() + 1),
      carried_(plan_.size()) {
  fill_host(Type::u32, input_.data(), options.n);
  std::ranges::fill(output_.span(), 0U);
  check(cudaMemset(carries_.data(), 0, sizeof(std::uint32_t)), "clear the first carry");
  lanes_.reserve(static_cast<std::size_t>(layout_.streams));
  for (int i = 0; i < layout_.streams; ++i) {
    lanes_.emplace_back(layout_.kind, plan_.front().count);
  }
  // Scans once in each lane, to load the kernels and allocate the workspace.
  for (const Chunk& chunk : plan_) {
    if (chunk.index < lanes_.size()) scan_chunk(chunk);
  }
  hand_on_carry(carries_.data(), carries_.data() + 1, lanes_.front().stream.get());
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
  contender.scan({.in = lane.data.data(),
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
  // A scan comes after the previous carry. The streams need no other order.
  if (chunk.index > 0 && !layout_.carry_in_default_stream) {
    carried_[chunk.index - 1].hold(stream);
  }
  scan_chunk(chunk);
  // The planted cause of legacy-carry: this kernel runs in the legacy default stream. There it
  // waits for all earlier work of the blocking streams. All later work of these streams waits for
  // it.
  const cudaStream_t carry_stream = layout_.carry_in_default_stream ? cudaStreamLegacy : stream;
  hand_on_carry(data + chunk.count - 1, carries_.data() + chunk.index + 1, carry_stream);
  carried_[chunk.index].record(carry_stream);
  check(cudaMemcpyAsync(output_.data() + chunk.offset, data, bytes, cudaMemcpyDeviceToHost, stream),
        "copy a chunk to the host");
}

void StreamedScan::verify() const {
  const auto wrong =
      first_wrong_on_host(Type::u32, Kind::inclusive, output_.data(), output_.span().size());
  if (!wrong) return;
  throw std::runtime_error("wrong result: element " + std::to_string(*wrong));
}

void run(int argc, char** argv) {
  const auto options = parse_streamed_options(argc, argv);
  if (!options) return;
  const DeviceInfo device = open_device();
  StreamedScan scan(*options);
  const double wall_ms = scan.run();
  scan.verify();

  Report report;
  report.add("workload", "streamed_scan");
  report.add("variant", name_of(options->variant));
  report.add("device", device.name);
  report.add_count("n", static_cast<std::int64_t>(options->n));
  report.add_count("chunks", static_cast<std::int64_t>(scan.chunks()));
  report.add_count("streams", scan.streams());
  report.add_count("chunk_mib", options->chunk_mib);
  report.add_number("wall_ms", wall_ms);
  report.add("verified", "yes");
  std::cout << report;
}

}  // namespace
}  // namespace lapscope::workloads::scan

int main(int argc, char** argv) {
  return lapscope::workloads::guard("streamed_scan",
                                    [&] { lapscope::workloads::scan::run(argc, argv); });
}
