#include "workloads/implicit_sync/calls/driver_api.h"

#include <string>

#include "workloads/implicit_sync/call.h"

namespace lapscope::workloads::implicit_sync {
namespace {

// The compiler does not know `offset`. It therefore cannot make the local buffer smaller.
std::string kernel_text(unsigned local_bytes) {
  return R"(
.version 6.4
.target sm_75
.address_size 64
.visible .entry use_local(.param .u64 result, .param .u32 offset) {
  .local .align 16 .b8 buffer[)" +
         std::to_string(local_bytes) + R"(];
  .reg .b32 %r<3>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [result];
  ld.param.u32 %r1, [offset];
  mov.u64 %rd2, buffer;
  cvt.u64.u32 %rd3, %r1;
  add.u64 %rd4, %rd2, %rd3;
  st.local.u32 [%rd2], 0;
  st.local.u32 [%rd4], %r1;
  ld.local.u32 %r2, [%rd2];
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
}

}  // namespace

const DriverApi& driver_api() {
  static const DriverApi api;
  return api;
}

std::vector<char> compile_image(unsigned local_bytes) {
  const DriverApi& driver = driver_api();
  std::string text = kernel_text(local_bytes);
  CUlinkState state = nullptr;
  require(driver.link_create(0U, nullptr, nullptr, &state), "start the linker of the driver");
  void* image = nullptr;
  std::size_t size = 0;
  cudaError_t error = driver.link_add(state, CU_JIT_INPUT_PTX, text.data(), text.size() + 1,
                                      "use_local", 0U, nullptr, nullptr);
  if (error == cudaSuccess) error = driver.link_complete(state, &image, &size);
  std::vector<char> cubin;
  if (error == cudaSuccess) {
    cubin.assign(static_cast<const char*>(image), static_cast<const char*>(image) + size);
  }
  driver.link_destroy(state);  // Also frees the image.
  require(error, "compile a kernel");
  return cubin;
}

}  // namespace lapscope::workloads::implicit_sync
