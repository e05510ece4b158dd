#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <utility>

#include "workloads/implicit_sync/call.h"

namespace lapscope::workloads::implicit_sync {

// Something that one call makes and another call takes away.
template <typename T>
struct Lifetime {
  std::function<cudaError_t(T&)> create;
  std::function<cudaError_t(T)> destroy;
};

// The trial of the call that makes it.
template <typename T>
Trial creating(Lifetime<T> lifetime) {
  const auto object = std::make_shared<T>();
  Trial trial;
  trial.run = [=] { return lifetime.create(*object); };
  trial.clean = [=] { require(lifetime.destroy(*object), "undo the call"); };
  return trial;
}

// The trial of the call that takes it away.
template <typename T>
Trial destroying(Lifetime<T> lifetime) {
  const auto object = std::make_shared<T>();
  Trial trial;
  trial.prepare = [=] { require(lifetime.create(*object), "prepare the call"); };
  trial.run = [=] { return lifetime.destroy(*object); };
  return trial;
}

// A trial that needs neither preparation nor cleaning.
inline Trial calling(std::function<cudaError_t()> run) {
  Trial trial;
  trial.run = std::move(run);
  return trial;
}

// The same trial, of a call whose work belongs to `stream`.
inline Trial in_stream(cudaStream_t stream, Trial trial) {
  trial.own = [stream] { return stream; };
  return trial;
}

// A variable in constant memory, for calls that take a symbol.
const void* device_symbol();

// Launches a kernel that can print and does not, so that stdout keeps to the results.
cudaError_t launch_printing_kernel(cudaStream_t stream);

}  // namespace lapscope::workloads::implicit_sync
