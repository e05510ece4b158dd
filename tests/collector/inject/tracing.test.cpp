#include "collector/inject/tracing.h"

#include <set>
#include <string>

#include "tests/catch.h"
#include "tests/collector/support/real_cupti.h"

namespace lapscope::inject {
namespace {

// What disable_cheap_queries switched, by a libcupti that only takes notes.
std::set<std::string> switched_off;
const cupti::CuptiApi* naming = nullptr;

void note(CUpti_CallbackDomain domain, CUpti_CallbackId id, std::uint8_t enable) {
  const char* name = nullptr;
  naming->get_callback_name(domain, id, &name);
  if (enable == 0) switched_off.insert(name);
}
CUptiResult note_runtime(CUpti_CallbackId id, std::uint8_t enable) {
  note(CUPTI_CB_DOMAIN_RUNTIME_API, id, enable);
  return CUPTI_SUCCESS;
}
CUptiResult note_driver(CUpti_CallbackId id, std::uint8_t enable) {
  note(CUPTI_CB_DOMAIN_DRIVER_API, id, enable);
  return CUPTI_SUCCESS;
}

TEST_CASE("cheap queries are quiet in any version", "[inject]") {
  for (const char* name :
       {"cudaGetDevice_v3020", "cudaGetLastError_v3020", "cudaPeekAtLastError_v3020",
        "cudaDeviceGetAttribute_v5000", "cudaStreamIsCapturing_v10000",
        "cudaStreamIsCapturing_ptsz_v10000", "cuCtxGetCurrent", "cuCtxPushCurrent_v2",
        "cuDeviceGetAttribute", "cuKernelGetName", "cuDriverGetVersion",
        "cudaThreadExchangeStreamCaptureMode_v10010"}) {
    INFO(name);
    CHECK(is_cheap_query(name));
  }
}

TEST_CASE("calls that do or wait for something are not quiet", "[inject]") {
  for (const char* name :
       {"cudaLaunchKernel_v7000", "cudaMemcpyAsync_v3020", "cudaMalloc_v3020", "cudaFree_v3020",
        "cudaDeviceSynchronize_v3020", "cudaStreamWaitEvent_v3020", "cudaEventQuery_v3020",
        "cudaStreamQuery_v3020", "cudaEventRecord_v3020", "cudaSetDevice_v3020",
        "cudaGetDeviceProperties_v2_v12000", "cuLaunchKernelEx", "cuModuleLoadData",
        "cuLibraryLoadData", "cuInit", "cuMemcpyHtoDAsync_v2", ""}) {
    INFO(name);
    CHECK_FALSE(is_cheap_query(name));
  }
}

TEST_CASE("a name that merely begins like a quiet one is not quiet", "[inject]") {
  CHECK_FALSE(is_cheap_query("cudaGetDeviceX_v1"));
  CHECK_FALSE(is_cheap_query("cudaGet"));
}

TEST_CASE("quiet calls are switched off in both APIs", "[inject]") {
  naming = test::real_cupti();
  if (!naming) SKIP_BECAUSE(test::why_no_cupti());
  cupti::CuptiApi notes = *naming;
  notes.activity_enable_runtime_api = note_runtime;
  notes.activity_enable_driver_api = note_driver;
  disable_cheap_queries(notes);
  CHECK(switched_off.contains("cudaGetDevice_v3020"));
  CHECK(switched_off.contains("cudaDeviceGetAttribute_v5000"));
  CHECK(switched_off.contains("cuCtxGetCurrent"));
  CHECK(switched_off.contains("cuKernelGetName"));
  for (const std::string& name : switched_off) {
    INFO(name);
    CHECK(is_cheap_query(name));
    // What any of these words names issues work, waits, allocates or loads.
    for (const char* word : {"Launch", "Memcpy", "Memset", "Malloc", "Alloc", "Free", "Synchronize",
                             "Wait", "Record", "Load", "Create", "Destroy", "Register"}) {
      CHECK(name.find(word) == std::string::npos);
    }
  }
}

TEST_CASE("a libcupti that cannot switch calls off is no crash", "[inject]") {
  disable_cheap_queries(cupti::CuptiApi{});
}

}  // namespace
}  // namespace lapscope::inject
