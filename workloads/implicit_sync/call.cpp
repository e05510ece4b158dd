#include "workloads/implicit_sync/call.h"

#include <cstdlib>
#include <iterator>

namespace lapscope::workloads::implicit_sync {

std::string_view text_of(Documented says) {
  constexpr std::string_view texts[] = {
      "host waits for device", "host waits for its stream", "streams do not overlap", "may wait",
      "host does not wait",    "streams overlap",           "may block, as any call", "control"};
  static_assert(std::size(texts) == static_cast<std::size_t>(Documented::control) + 1);
  return texts[static_cast<std::size_t>(says)];
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
