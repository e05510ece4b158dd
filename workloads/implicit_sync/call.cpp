#include "workloads/implicit_sync/call.h"

#include <cstdlib>

namespace lapscope::workloads::implicit_sync {

std::string_view text_of(Documented says) {
  switch (says) {
    case Documented::host_waits_for_device:
      return "host waits for device";
    case Documented::host_waits_for_stream:
      return "host waits for its stream";
    case Documented::separates_streams:
      return "streams do not overlap";
    case Documented::may_wait:
      return "may wait";
    case Documented::asynchronous:
      return "host does not wait";
    case Documented::leaves_streams_alone:
      return "streams overlap";
    case Documented::not_named:
      return "may block, as any call";
    case Documented::control:
      return "control";
  }
  return "unknown";
}

using namespace std::chrono_literals;

Rig::Rig(const DeviceInfo& device)
    : multiprocessors(device.multiprocessors),
      spans(3),
      non_blocking_before(StreamKind::non_blocking),
      non_blocking_after(StreamKind::non_blocking),
      blocking_before(StreamKind::blocking),
      blocking_after(StreamKind::blocking),
      own(StreamKind::non_blocking),
      before(non_blocking_before.get()),
      after(non_blocking_after.get()) {}

void Rig::separate_queues() {
  constexpr int keep_what_the_user_set = 0;
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", keep_what_the_user_set);
}

void Rig::launch_short(cudaStream_t stream) const {
  kernel.launch(&spans.span()[2], 20us, 1, stream);
}

void require(cudaError_t error, std::string_view action) {
  if (error == cudaSuccess) return;
  throw Unavailable("could not " + std::string(action) + ": " + cudaGetErrorString(error) + " (" +
                    cudaGetErrorName(error) + ")");
}

}  // namespace lapscope::workloads::implicit_sync
