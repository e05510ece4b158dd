#include "workloads/implicit_sync/rig.h"

#include <cstdlib>

namespace lapscope::workloads::implicit_sync {

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

}  // namespace lapscope::workloads::implicit_sync
