
#include "readers/xprof/profile_events.h"
#include "tests/catch.h"

namespace lapscope::xprof {
namespace {

using Numbers = std::optional<std::int64_t>;

TEST_CASE("the shape of a kernel is read of XProf's text", "[xprof]") {
  const KernelShape shape = kernel_shape(
      "regs:32 static_shared:16 dynamic_shared:1024 grid:64,2,1 block:128,4,2 occ_pct:87.5");
  CHECK(shape.registers == 32);
  CHECK(shape.static_shared == 16);
  CHECK(shape.dynamic_shared == 1024);
  CHECK(shape.grid[0] == 64);
  CHECK(shape.grid[1] == 2);
  CHECK(shape.grid[2] == 1);
  CHECK(shape.block[0] == 128);
  CHECK(shape.block[1] == 4);
  CHECK(shape.block[2] == 2);
}

TEST_CASE("what the text does not say is not known", "[xprof]") {
  // Shapes in the format of AMD, and damaged shapes.
  const KernelShape amd = kernel_shape(" grid:1280,1,1 block:256,1,1 private_mem:0 group_mem:0");
  CHECK(amd.grid[0] == 1280);
  CHECK(amd.registers == std::nullopt);
  const KernelShape damaged = kernel_shape("regs: grid:1,x block:99999999999999999999,1,1");
  CHECK(damaged.registers == std::nullopt);
  CHECK(damaged.grid[0] == 1);
  CHECK(damaged.grid[1] == std::nullopt);
  CHECK(damaged.grid[2] == std::nullopt);
  CHECK(damaged.block[0] == std::nullopt);
  CHECK(kernel_shape("").grid[0] == std::nullopt);
}

TEST_CASE("copies and memsets have their bytes and kinds of memory", "[xprof]") {
  const Transfer copy = transfer("kind_src:pageable kind_dst:device size:4096 dest:1 async:0");
  CHECK(copy.bytes == 4096);
  CHECK(copy.target_device == 1);
  CHECK(copy.source_kind == 0);
  CHECK(copy.target_kind == 2);
  CHECK(copy.is_async == false);
  const Transfer memset = transfer("kind:managed num_bytes:512 async:1");
  CHECK(memset.bytes == 512);
  CHECK(memset.target_kind == 4);
  CHECK(memset.is_async == true);
  const Transfer unknown = transfer("kind_src:unknown kind_dst:new size:x");
  CHECK(unknown.bytes == std::nullopt);
  CHECK(unknown.source_kind == std::nullopt);
  CHECK(unknown.target_kind == std::nullopt);
  CHECK(unknown.is_async == std::nullopt);
}

TEST_CASE("the direction of a copy is its name", "[xprof]") {
  CHECK(copy_kind("MemcpyH2D") == 1);
  CHECK(copy_kind("MemcpyD2H") == 2);
  CHECK(copy_kind("MemcpyD2D") == 8);
  CHECK(copy_kind("MemcpyP2P") == 10);
  CHECK(copy_kind("CopyDeviceToDevice") == 8);
  CHECK(copy_kind("MemcpyOther") == 0);
  CHECK(copy_kind("new") == 0);
}

//   XProf's name                       function
TEST_CASE("a call has its own function, or a function with the same effect", "[xprof]") {
  const auto function = [](std::string_view name, std::string_view details = "") {
    return function_of_call(name, transfer(details));
  };
  CHECK(function("cuLaunchKernel") == "cuLaunchKernel");
  CHECK(function("cuGraphLaunch (CudaGraph:101)") == "cuGraphLaunch");
  CHECK(function("cudaMalloc") == "cudaMalloc");
  CHECK(function("hipModuleLaunchKernel") == "hipModuleLaunchKernel");
  CHECK(function("MemcpyH2D", "size:8 async:1") == "cuMemcpyHtoDAsync");
  CHECK(function("MemcpyD2H", "size:8 async:0") == "cuMemcpyDtoH");
  CHECK(function("MemcpyP2P", "size:8 async:1") == "cuMemcpyPeerAsync");
  CHECK(function("Memset", "num_bytes:8 async:0") == "cuMemsetD8");
  CHECK(function("MemoryAlloc") == "cuMemAlloc");
  // XProf names a launch after its kernel, whose name may also begin with "cu".
  CHECK(function("void cub::Scan<int>(int*)") == "cuLaunchKernel");
  CHECK(function("cuApplyLayerNorm") == "cuLaunchKernel");
  CHECK(function("loop_add_fusion") == "cuLaunchKernel");
}

TEST_CASE("a frame of Python is written as PyTorch's profiler does", "[xprof]") {
  CHECK(python_function("$train.py:12 step") == "train.py(12): step");
  CHECK(python_function("$/a b/c.py:12 step") == "/a b/c.py:12 step");  // ambiguous
  CHECK(python_function("$builtins len") == "builtins len");
  CHECK(python_function("$x.py:y f") == "x.py:y f");
  CHECK(python_function("$") == "");
}

TEST_CASE("planes and lines have their numbers", "[xprof]") {
  CHECK(gpu_of_plane("/device:GPU:3") == 3);
  for (const char* plane : {"/device:TPU:0", "/host:CPU", "/device:GPU:", "/device:GPU:-1", ""}) {
    CHECK(gpu_of_plane(plane) == std::nullopt);
  }
  CHECK(stream_of_line("Stream #14(MemcpyH2D,Compute)") == 14);
  CHECK(stream_of_line("Stream #7") == 7);
  // These lines are not streams. XProf uses stream numbers from 2^28 on for managed memory.
  for (const char* line : {"XLA Ops", "Steps", "CUPTI overhead", "Stream #268435457(UnifiedMemory)",
                           "Stream #", "Stream #-1"}) {
    CHECK(stream_of_line(line) == std::nullopt);
  }
}

TEST_CASE("a stat is put where it belongs", "[xprof]") {
  Event event;
  set_stat("correlation_id", "4294967296", event);
  set_stat("context_id", "$$2", event);
  set_stat("step_num", "x", event);
  set_stat("memcpy_details", "size:8", event);
  set_stat("MemoryResidency_details", "kind:device", event);
  set_stat("hlo_op", "add.1", event);
  CHECK(event.correlation == std::int64_t{1} << 32);
  CHECK(event.context == 2);
  CHECK(event.step == std::nullopt);
  CHECK(event.copy == "size:8");
  CHECK(event.is_allocation);
}

}  // namespace
}  // namespace lapscope::xprof
