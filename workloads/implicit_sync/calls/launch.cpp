#include "workloads/implicit_sync/call_registry.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {

// Kernel launches.

namespace {

constexpr Claim launch_is_asynchronous{Documented::asynchronous, "lecture, reference"};
constexpr Claim per_thread{Documented::leaves_streams_alone, "tutorial"};

Trial launching(Rig& rig, cudaStream_t stream) {
  return in_stream(stream, calling([&rig, stream] {
                     rig.launch_short(stream);
                     return cudaSuccess;
                   }));
}

const Call all_launch_calls[] = {
    {"launch-own-stream", launch_is_asynchronous,
     [](Rig& rig) { return launching(rig, rig.own.get()); }},
    {"launch-legacy-stream", null_stream,
     [](Rig& rig) { return launching(rig, cudaStreamLegacy); }},
    {"launch-per-thread-stream", per_thread,
     [](Rig& rig) { return launching(rig, cudaStreamPerThread); }},
    {"launch-printing-kernel", not_named,
     [](Rig& rig) {
       const cudaStream_t stream = rig.own.get();
       return in_stream(stream, calling([stream] { return launch_printing_kernel(stream); }));
     }},
};

}  // namespace

std::span<const Call> launch_calls() { return all_launch_calls; }

// CUDA graphs with one short kernel.

namespace {

std::shared_ptr<CUgraph_st> captured(Rig& rig) {
  cudaGraph_t graph = nullptr;
  require(cudaStreamBeginCapture(rig.own.get(), cudaStreamCaptureModeRelaxed), "begin a capture");
  rig.launch_short(rig.own.get());
  require(cudaStreamEndCapture(rig.own.get(), &graph), "end a capture");
  return {graph, cudaGraphDestroy};
}

Lifetime<cudaGraphExec_t> instantiated(Rig& rig) {
  return {[graph = captured(rig)](cudaGraphExec_t& executable) {
            return cudaGraphInstantiate(&executable, graph.get(), 0);
          },
          cudaGraphExecDestroy};
}

// Each measured call is the first launch of a new executable graph.
Trial launching(Rig& rig) {
  const auto lifetime = instantiated(rig);
  const auto executable = std::make_shared<cudaGraphExec_t>();
  const cudaStream_t stream = rig.own.get();
  Trial trial = calling([=] { return cudaGraphLaunch(*executable, stream); });
  trial.prepare = [=] { require(lifetime.create(*executable), "instantiate a graph"); };
  trial.clean = [=] { require(lifetime.destroy(*executable), "destroy a graph"); };
  return in_stream(stream, trial);
}

// The call destroys an executable graph, while a launch of it still waits for the kernel.
Trial destroying_pending_graph(Rig& rig) {
  const auto lifetime = instantiated(rig);
  const auto executable = std::make_shared<cudaGraphExec_t>();
  Trial trial = calling([=] { return lifetime.destroy(*executable); });
  trial.prepare = [=] { require(lifetime.create(*executable), "instantiate a graph"); };
  trial.arm = [=, &rig] { require(cudaGraphLaunch(*executable, rig.before), "launch a graph"); };
  return in_stream(rig.own.get(), trial);
}

const Call all_graph_calls[] = {
    {"cudaGraphInstantiate", not_named, [](Rig& rig) { return creating(instantiated(rig)); }},
    {"cudaGraphLaunch-first", not_named, launching},
    {"cudaGraphExecDestroy-idle", not_named,
     [](Rig& rig) { return destroying(instantiated(rig)); }},
    {"cudaGraphExecDestroy-pending", not_named, destroying_pending_graph},
};

}  // namespace

std::span<const Call> graph_calls() { return all_graph_calls; }

}  // namespace lapscope::workloads::implicit_sync
