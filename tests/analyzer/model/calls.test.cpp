#include "analyzer/model/calls.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("functions are told apart by what they are for, whatever their suffixes") {
  REQUIRE(call_kind("cudaLaunchKernel_v7000") == CallKind::launch);
  REQUIRE(call_kind("cudaLaunchKernelExC_ptsz_v11060") == CallKind::launch);
  REQUIRE(call_kind("cuLaunchKernelEx") == CallKind::launch);
  REQUIRE(call_kind("cudaGraphLaunch_v10000") == CallKind::launch);
  REQUIRE(call_kind("cudaLaunchHostFunc_v10000") == CallKind::host_function);
  REQUIRE(call_kind("cudaMemcpy_v3020") == CallKind::copy_blocking);
  REQUIRE(call_kind("cudaMemcpyAsync_ptsz_v7000") == CallKind::copy_async);
  REQUIRE(call_kind("cudaMemcpy2DAsync_v3020") == CallKind::copy_async);
  REQUIRE(call_kind("cuMemcpyHtoD_v2") == CallKind::copy_blocking);
  REQUIRE(call_kind("cudaMemsetAsync_v3020") == CallKind::memset);
  REQUIRE(call_kind("cudaDeviceSynchronize_v3020") == CallKind::synchronize);
  REQUIRE(call_kind("cudaEventSynchronize_v3020") == CallKind::synchronize);
  REQUIRE(call_kind("cudaStreamWaitEvent_v3020") == CallKind::wait_event);
  REQUIRE(call_kind("cudaMalloc_v3020") == CallKind::allocate);
  REQUIRE(call_kind("cudaMallocHost_v3020") == CallKind::allocate_host);
  REQUIRE(call_kind("cudaHostAlloc_v3020") == CallKind::allocate_host);
  REQUIRE(call_kind("cudaFree_v3020") == CallKind::release);
  REQUIRE(call_kind("cudaFreeHost_v3020") == CallKind::release_host);
  REQUIRE(call_kind("cuMemFreeHost") == CallKind::release_host);
  REQUIRE(call_kind("cuModuleLoadDataEx") == CallKind::load);
  REQUIRE(call_kind("cudaEventQuery_v3020") == CallKind::other);
  REQUIRE(call_kind("") == CallKind::other);
}

}  // namespace
}  // namespace lapscope::analyzer
