// A program that uses only the driver API. It loads a module of PTX, which the driver compiles
// while loading.

#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr char ptx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry add_one(.param .u64 values)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [values];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  add.u32 %r3, %r2, 1;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";

void check(CUresult result) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::printf("CUDA: %s\n", name ? name : "?");
  std::exit(1);
}

}  // namespace

int main() {
  constexpr unsigned count = 256;
  constexpr int launches = 1000;
  check(cuInit(0));
  CUdevice device{};
  check(cuDeviceGet(&device, 0));
  CUcontext context{};
  check(cuDevicePrimaryCtxRetain(&context, device));
  check(cuCtxSetCurrent(context));
  CUmodule module{};
  check(cuModuleLoadData(&module, ptx));
  CUfunction add_one{};
  check(cuModuleGetFunction(&add_one, module, "add_one"));
  CUdeviceptr values{};
  check(cuMemAlloc(&values, count * sizeof(int)));
  check(cuMemsetD32(values, 0, count));
  CUstream stream{};
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  check(cuCtxSynchronize());
  void* arguments[] = {&values};
  for (int i = 0; i < launches; ++i) {
    check(cuLaunchKernel(add_one, 1, 1, 1, count, 1, 1, 0, stream, arguments, nullptr));
  }
  std::vector<int> host(count);
  check(cuMemcpyDtoHAsync(host.data(), values, count * sizeof(int), stream));
  check(cuStreamSynchronize(stream));
  long sum = 0;
  for (const int value : host) sum += value;
  std::printf("%d launches: %ld\n", launches, sum);
  check(cuMemFree(values));
  check(cuModuleUnload(module));
  check(cuDevicePrimaryCtxRelease(device));
  return sum == long{launches} * count ? 0 : 1;
}
