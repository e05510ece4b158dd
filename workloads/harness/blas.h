#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "workloads/harness/shared_library.h"

namespace lapscope::workloads {

// The cuBLAS functions in use, declared as in cuBLAS's header and loaded at run time. Throws
// std::runtime_error if cuBLAS reports an error, and SkippedError if cuBLAS is not installed.
class Blas {
 public:
  using Handle = void*;

  Blas();

  Handle create() const;
  void destroy(Handle handle) const;

  // Sets the stream of a handle. By default, a handle uses the legacy default stream.
  void use(Handle handle, cudaStream_t stream) const;

  // Makes cuBLAS choose kernels for a GPU with this many multiprocessors.
  void limit(Handle handle, int multiprocessors) const;

  // Computes c = a * b in column-major order. c is `rows` x `columns`; `depth` is the inner size.
  void multiply(Handle handle, int rows, int columns, int depth, const float* a, const float* b,
                float* c) const;

 private:
  SharedLibrary library_;
};

}  // namespace lapscope::workloads
