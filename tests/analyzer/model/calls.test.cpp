#include "analyzer/model/calls.h"

#include <set>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("functions are told apart by what they are for, whatever their suffixes") {
  REQUIRE(call_kind("cudaLaunchKernel_v7000") == CallKind::launch);
  REQUIRE(call_kind("cudaLaunchKernelExC_ptsz_v11060") == CallKind::launch);
  REQUIRE(call_kind("cuLaunchKernelEx") == CallKind::launch);
  REQUIRE(call_kind("cudaGraphLaunch_v10000") == CallKind::graph_launch);
  REQUIRE(call_kind("cuGraphLaunch") == CallKind::graph_launch);
  REQUIRE(call_kind("cudaGraphInstantiate_v12000") == CallKind::other);
  REQUIRE(call_kind("cudaLaunchHostFunc_v10000") == CallKind::host_function);
  REQUIRE(call_kind("cudaMemcpy_v3020") == CallKind::copy_blocking);
  REQUIRE(call_kind("cudaMemcpyAsync_ptsz_v7000") == CallKind::copy_async);
  REQUIRE(call_kind("cudaMemcpy2DAsync_v3020") == CallKind::copy_async);
  REQUIRE(call_kind("cuMemcpyHtoD_v2") == CallKind::copy_blocking);
  REQUIRE(call_kind("cudaMemsetAsync_v3020") == CallKind::memset);
  REQUIRE(call_kind("cudaDeviceSynchronize_v3020") == CallKind::synchronize);
  REQUIRE(call_kind("cudaThreadSynchronize_v3020") == CallKind::synchronize);
  REQUIRE(call_kind("cuCtxSynchronize_v2") == CallKind::synchronize);
  REQUIRE(call_kind("cudaEventSynchronize_v3020") == CallKind::synchronize);
  REQUIRE(call_kind("cudaStreamWaitEvent_v3020") == CallKind::wait_event);
  REQUIRE(call_kind("cudaMalloc_v3020") == CallKind::allocate);
  REQUIRE(call_kind("cudaMallocAsync_v11020") == CallKind::pool);
  REQUIRE(call_kind("cudaMallocFromPoolAsync_ptsz_v11020") == CallKind::pool);
  REQUIRE(call_kind("cudaFreeAsync_ptsz_v11020") == CallKind::pool);
  REQUIRE(call_kind("cuMemAllocAsync") == CallKind::pool);
  REQUIRE(call_kind("cuMemAllocFromPoolAsync_ptsz") == CallKind::pool);
  REQUIRE(call_kind("cuMemFreeAsync") == CallKind::pool);
  REQUIRE(call_kind("cuMemFree_v2") == CallKind::release);
  REQUIRE(call_kind("cudaMallocHost_v3020") == CallKind::allocate_host);
  REQUIRE(call_kind("cudaHostAlloc_v3020") == CallKind::allocate_host);
  REQUIRE(call_kind("cudaFree_v3020") == CallKind::release);
  REQUIRE(call_kind("cudaFreeHost_v3020") == CallKind::release_host);
  REQUIRE(call_kind("cuMemFreeHost") == CallKind::release_host);
  REQUIRE(call_kind("cuModuleLoadDataEx") == CallKind::load);
  REQUIRE(call_kind("cudaHostRegister_v4000") == CallKind::allocate_host);
  REQUIRE(call_kind("cuMemHostRegister_v2") == CallKind::allocate_host);
  REQUIRE(call_kind("cudaHostUnregister_v4000") == CallKind::release_host);
  REQUIRE(call_kind("cudaEventRecord_v3020") == CallKind::record_event);
  REQUIRE(call_kind("cudaEventRecordWithFlags_ptsz_v11010") == CallKind::record_event);
  REQUIRE(call_kind("cuEventRecord") == CallKind::record_event);
  REQUIRE(call_kind("cudaEventQuery_v3020") == CallKind::query);
  REQUIRE(call_kind("cudaStreamQuery_ptsz_v7000") == CallKind::query);
  REQUIRE(call_kind("cuEventQuery") == CallKind::query);
  REQUIRE(call_kind("cuStreamQuery") == CallKind::query);
  REQUIRE(call_kind("cudaEventCreate_v3020") == CallKind::other);
  REQUIRE(call_kind("") == CallKind::other);
}

TEST_CASE("every kind has a name of its own") {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(CallKind::other); ++kind) {
    REQUIRE_FALSE(name_of(static_cast<CallKind>(kind)).empty());
    names.insert(name_of(static_cast<CallKind>(kind)));
  }
  REQUIRE(names.size() == static_cast<std::size_t>(CallKind::other) + 1);
  REQUIRE(name_of(CallKind::graph_launch) == "graph-launch");
  REQUIRE(name_of(CallKind::query) == "query");
  REQUIRE(name_of(CallKind::other) == "other");
}

}  // namespace
}  // namespace lapscope::analyzer
