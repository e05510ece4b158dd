#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "workloads/harness/shared_library.h"

namespace lapscope::workloads {

// cuBLAS, found at run time: the few functions that are used, as its header declares them. Throws
// std::runtime_error where cuBLAS reports an error, SkippedError where there is no cuBLAS.
class Blas {
 public:
  using Handle = void*;

  Blas();

  Handle create() const;
  void destroy(Handle handle) const;

  // Without it a handle uses the legacy default stream.
  void use(Handle handle, cudaStream_t stream) const;

  // Kernels are chosen as for a GPU of so many multiprocessors.
  void limit(Handle handle, int multiprocessors) const;

  // c = a * b, stored by columns: c has `rows` x `columns` entries, and `depth` are added up.
  void multiply(Handle handle, int rows, int columns, int depth, const float* a, const float* b,
                float* c) const;

 private:
  SharedLibrary library_;
};

}  // namespace lapscope::workloads
