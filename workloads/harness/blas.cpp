#include "workloads/harness/blas.h"

#include <stdexcept>

namespace lapscope::workloads {
namespace {

void require(int status, const std::string& action) {
  if (status == 0) return;
  throw std::runtime_error("could not " + action + ": cuBLAS status " + std::to_string(status));
}

}  // namespace

Blas::Blas() : library_("cuBLAS", {"libcublas.so.13", "libcublas.so.12"}) {}

Blas::Handle Blas::create() const {
  Handle handle = nullptr;
  require(library_.function<int (*)(Handle*)>("cublasCreate_v2")(&handle), "set up cuBLAS");
  return handle;
}

void Blas::destroy(Handle handle) const {
  library_.function<int (*)(Handle)>("cublasDestroy_v2")(handle);
}

void Blas::use(Handle handle, cudaStream_t stream) const {
  require(library_.function<int (*)(Handle, cudaStream_t)>("cublasSetStream_v2")(handle, stream),
          "give cuBLAS a stream");
}

void Blas::limit(Handle handle, int multiprocessors) const {
  require(
      library_.function<int (*)(Handle, int)>("cublasSetSmCountTarget")(handle, multiprocessors),
      "give cuBLAS a number of multiprocessors");
}

void Blas::multiply(Handle handle, int rows, int columns, int depth, const float* a, const float* b,
                    float* c) const {
  using Gemm = int (*)(Handle, int, int, int, int, int, const float*, const float*, int,
                       const float*, int, const float*, float*, int);
  constexpr int as_it_is = 0;
  constexpr float one = 1;
  constexpr float zero = 0;
  require(library_.function<Gemm>("cublasSgemm_v2")(handle, as_it_is, as_it_is, rows, columns,
                                                    depth, &one, a, rows, b, depth, &zero, c, rows),
          "multiply two matrices with cuBLAS");
}

}  // namespace lapscope::workloads
