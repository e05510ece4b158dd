#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <utility>

#include "workloads/implicit_sync/call.h"

namespace lapscope::workloads::implicit_sync {

// An object that one call creates and another call destroys.
template <typename T>
struct Lifetime {
  std::function<cudaError_t(T&)> create;
  std::function<cudaError_t(T)> destroy;
};

// Returns the trial of the call that creates the object.
template <typename T>
Trial creating(Lifetime<T> lifetime) {
  const auto object = std::make_shared<T>();
  Trial trial;
  trial.run = [=] { return lifetime.create(*object); };
  trial.clean = [=] { require(lifetime.destroy(*object), "undo the call"); };
  return trial;
}

// Returns the trial of the call that destroys the object.
template <typename T>
Trial destroying(Lifetime<T> lifetime) {
  const auto object = std::make_shared<T>();
  Trial trial;
  trial.prepare = [=] { require(lifetime.create(*object), "prepare the call"); };
  trial.run = [=] { return lifetime.destroy(*object); };
  return trial;
}

// Returns a trial without preparation and cleaning.
inline Trial calling(std::function<cudaError_t()> run) {
  Trial trial;
  trial.run = std::move(run);
  return trial;
}

// Returns `trial`, but with `stream` as the stream in which the call works.
inline Trial in_stream(cudaStream_t stream, Trial trial) {
  trial.own = [stream] { return stream; };
  return trial;
}

// Returns a variable in constant memory, for calls that take a symbol.
const void* device_symbol();

// Launches a kernel that could print. It prints nothing, because stdout is for results only.
cudaError_t launch_printing_kernel(cudaStream_t stream);

}  // namespace lapscope::workloads::implicit_sync
