// Streams, and all of them.

#include "workloads/implicit_sync/calls/families.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {
namespace {

template <unsigned flags>
Lifetime<cudaStream_t> stream() {
  return {[](cudaStream_t& created) { return cudaStreamCreateWithFlags(&created, flags); },
          cudaStreamDestroy};
}

// In the arrangement `own` the kernel before is in the very stream that is destroyed.
Trial destroying_stream(Rig&) {
  const auto created = std::make_shared<cudaStream_t>();
  Trial trial = calling([=] { return cudaStreamDestroy(*created); });
  trial.prepare = [=] {
    require(stream<cudaStreamNonBlocking>().create(*created), "create a stream");
  };
  trial.own = [=] { return *created; };
  trial.own_after = [] { return cudaStreamLegacy; };
  return trial;
}

cudaError_t unless_not_ready(cudaError_t error) {
  return error == cudaErrorNotReady ? cudaSuccess : error;
}

Trial querying_stream(Rig& rig) {
  return in_stream(rig.own.get(),
                   calling([&rig] { return unless_not_ready(cudaStreamQuery(rig.before)); }));
}

Trial synchronizing_stream(Rig& rig) {
  const cudaStream_t own = rig.own.get();
  return in_stream(own, calling([own] { return cudaStreamSynchronize(own); }));
}

const Call all_stream_calls[] = {
    {"cudaDeviceSynchronize",
     {Documented::host_waits_for_device, "lecture, reference"},
     [](Rig&) { return calling(cudaDeviceSynchronize); }},
    {"cudaStreamCreate", not_named, [](Rig&) { return creating(stream<cudaStreamDefault>()); }},
    {"cudaStreamCreate-non-blocking", not_named,
     [](Rig&) { return creating(stream<cudaStreamNonBlocking>()); }},
    {"cudaStreamDestroy", {Documented::host_waits_for_stream, "lecture"}, destroying_stream},
    {"cudaStreamQuery", not_named, querying_stream},
    {"cudaStreamSynchronize",
     {Documented::host_waits_for_stream, "lecture, reference"},
     synchronizing_stream},
};

}  // namespace

std::span<const Call> stream_calls() { return all_stream_calls; }

}  // namespace lapscope::workloads::implicit_sync
