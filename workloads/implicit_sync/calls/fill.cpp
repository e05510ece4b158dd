// Memsets.

#include "workloads/harness/buffers.h"
#include "workloads/implicit_sync/calls/families.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {
namespace {

constexpr std::size_t bytes = 16 << 20;

// The buffer lives as long as the trial.
template <typename Buffer>
Trial filling(std::function<cudaError_t(void*)> fill) {
  const auto buffer = std::make_shared<Buffer>(bytes);
  return calling([=] { return fill(buffer->data()); });
}

cudaError_t fill(void* data) { return cudaMemset(data, 1, bytes); }

Trial filling_in_stream(cudaStream_t stream) {
  return in_stream(stream, filling<DeviceBuffer<char>>([stream](void* data) {
                     return cudaMemsetAsync(data, 1, bytes, stream);
                   }));
}

const Call all_fill_calls[] = {
    {"cudaMemset-device", separates_streams,
     [](Rig&) { return filling<DeviceBuffer<char>>(fill); }},
    {"cudaMemset-pinned",
     {Documented::host_waits_for_stream, "reference"},
     [](Rig&) { return filling<PinnedBuffer<char>>(fill); }},
    {"cudaMemsetAsync-legacy-stream", null_stream,
     [](Rig&) { return filling_in_stream(cudaStreamLegacy); }},
    {"cudaMemsetAsync-own-stream", separates_streams,
     [](Rig& rig) { return filling_in_stream(rig.own.get()); }},
};

}  // namespace

std::span<const Call> fill_calls() { return all_fill_calls; }

}  // namespace lapscope::workloads::implicit_sync
