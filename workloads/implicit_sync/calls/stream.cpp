#include "workloads/implicit_sync/call_registry.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {

// Streams: creating, destroying and waiting for them.

namespace {

template <unsigned flags>
Lifetime<cudaStream_t> stream() {
  return {[](cudaStream_t& created) { return cudaStreamCreateWithFlags(&created, flags); },
          cudaStreamDestroy};
}

// In the arrangement `own`, the call destroys the stream of the first kernel.
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

// Events.

namespace {

Lifetime<cudaEvent_t> event() {
  return {[](cudaEvent_t& created) { return cudaEventCreate(&created); }, cudaEventDestroy};
}

// Records the event directly after the first kernel, in the stream of this kernel.
Trial with_pending(Rig& rig, std::function<cudaError_t(cudaEvent_t)> run) {
  const auto created = std::make_shared<cudaEvent_t>();
  Trial trial = calling([=] { return run(*created); });
  trial.prepare = [=] { require(event().create(*created), "create an event"); };
  trial.arm = [=, &rig] { require(cudaEventRecord(*created, rig.before), "record an event"); };
  return in_stream(rig.own.get(), trial);
}

Trial destroying_pending(Rig& rig) { return with_pending(rig, cudaEventDestroy); }

Trial querying(Rig& rig) {
  const auto created = std::make_shared<cudaEvent_t>();
  Trial trial = with_pending(rig, [=](cudaEvent_t queried) {
    *created = queried;
    const cudaError_t error = cudaEventQuery(queried);
    return error == cudaErrorNotReady ? cudaSuccess : error;
  });
  trial.clean = [=] { require(cudaEventDestroy(*created), "destroy an event"); };
  return trial;
}

// Records the event in the stream rig.own. In Arrangement::own, the first kernel is in this stream,
// too, and the event follows the kernel. In other arrangements, the kernel is in another stream.
Trial synchronizing(Rig& rig) {
  const auto created = std::make_shared<cudaEvent_t>();
  const cudaStream_t own = rig.own.get();
  Trial trial = calling([=] { return cudaEventSynchronize(*created); });
  trial.prepare = [=] { require(event().create(*created), "create an event"); };
  trial.arm = [=] { require(cudaEventRecord(*created, own), "record an event"); };
  trial.clean = [=] { require(cudaEventDestroy(*created), "destroy an event"); };
  return in_stream(own, trial);
}

// Makes the stream rig.own wait for an event. In all arrangements, the event follows the first
// kernel, because it is recorded in the stream of this kernel.
Trial making_stream_wait(Rig& rig) {
  const auto created = std::make_shared<cudaEvent_t>();
  Trial trial = with_pending(rig, [=, &rig](cudaEvent_t awaited) {
    *created = awaited;
    return cudaStreamWaitEvent(rig.own.get(), awaited, 0);
  });
  trial.clean = [=] { require(cudaEventDestroy(*created), "destroy an event"); };
  return trial;
}

const Call all_event_calls[] = {
    {"cudaEventCreate", not_named, [](Rig&) { return creating(event()); }},
    {"cudaEventDestroy-pending", {Documented::asynchronous, "reference"}, destroying_pending},
    {"cudaEventQuery-pending", not_named, querying},
    {"cudaEventSynchronize",
     {Documented::host_waits_for_stream, "lecture, reference"},
     synchronizing},
    {"cudaStreamWaitEvent-pending",
     {Documented::asynchronous, "lecture, reference"},
     making_stream_wait},
};

}  // namespace

std::span<const Call> event_calls() { return all_event_calls; }

}  // namespace lapscope::workloads::implicit_sync
