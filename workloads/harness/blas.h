#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "workloads/harness/shared_library.h"

namespace lapscope::workloads {

// The functions of cuBLAS that are used here. They are declared as in cuBLAS's header, and loaded
// at run time. They throw std::runtime_error if cuBLAS reports an error. The constructor throws
// SkippedError if cuBLAS is not installed.
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

  // Computes c = a * b in column-major order. c is `rows` x `columns`. a has `depth` columns.
  void multiply(Handle handle, int rows, int columns, int depth, const float* a, const float* b,
                float* c) const;

 private:
  SharedLibrary library_;
};

}  // namespace lapscope::workloads
