#include "workloads/implicit_sync/controls.h"

#include <array>

#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {
namespace {

constexpr Claim control{Documented::control, "-"};

Trial ordering_by_event(Rig& rig) {
  cudaEvent_t created = nullptr;
  require(cudaEventCreate(&created), "create an event");
  const std::shared_ptr<CUevent_st> event(created, cudaEventDestroy);
  return in_stream(rig.own.get(), calling([event, &rig] {
                     const cudaError_t error = cudaEventRecord(event.get(), rig.before);
                     if (error != cudaSuccess) return error;
                     return cudaStreamWaitEvent(rig.after, event.get(), 0);
                   }));
}

const Call all_controls[] = {
    {"control-nothing", control, [](Rig&) { return calling([] { return cudaSuccess; }); }},
    {"control-device", control, [](Rig&) { return calling(cudaDeviceSynchronize); }},
    {"control-event", control, ordering_by_event},
};

struct Expected {
  HostWait host;
  Follower follower;  // In all arrangements.
};

constexpr std::array<Expected, std::size(all_controls)> expected{{
    {HostWait::none, Follower::overlaps},
    {HostWait::device, Follower::host_waited},
    {HostWait::none, Follower::waits},
}};

template <typename T>
bool is_always(const Verdict<T>& verdict, T value) {
  return verdict.value == value && !verdict.varies();
}

}  // namespace

std::span<const Call> controls() { return all_controls; }

std::optional<std::string> find_failure(std::string_view name, const Behaviour& behaviour) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (all_controls[i].name != name) continue;
    const bool as_expected = is_always(behaviour.host, expected[i].host) &&
                             is_always(behaviour.own_stream, expected[i].follower) &&
                             is_always(behaviour.non_blocking, expected[i].follower) &&
                             is_always(behaviour.blocking, expected[i].follower);
    if (as_expected) return std::nullopt;
    return "the control '" + std::string(name) +
           "' did not come out as it must, so the table is not to be trusted; "
           "CUDA_LAUNCH_BLOCKING, "
           "a profiler or another program on the GPU can cause this";
  }
  return "'" + std::string(name) + "' is not a control";
}

}  // namespace lapscope::workloads::implicit_sync
