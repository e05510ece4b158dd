#include "workloads/implicit_sync/trials.h"

#include <cstdio>

namespace lapscope::workloads::implicit_sync {
namespace {

__constant__ int symbol;

__global__ void print_if(bool wanted) {
  if (wanted) printf("%d\n", symbol);
}

}  // namespace

const void* device_symbol() { return &symbol; }

cudaError_t launch_printing_kernel(cudaStream_t stream) {
  print_if<<<1, 1, 0, stream>>>(false);
  return cudaGetLastError();
}

}  // namespace lapscope::workloads::implicit_sync
