#include "collector/inject/api_calls.h"

#include <set>
#include <string>
#include <utility>

#include "analyzer/model/calls.h"
#include "tests/catch.h"
#include "tests/collector/support/real_cupti.h"

namespace lapscope::inject {
namespace {

using request::Group;
using request::Request;

// The functions that were switched on or off, as the fake libcupti noted them.
std::set<std::string> switched_off;
std::set<std::string> switched_on;
std::set<CUpti_ActivityKind> enabled;
const cupti::CuptiApi* naming = nullptr;

CUptiResult note(CUpti_CallbackDomain domain, CUpti_CallbackId id, std::uint8_t enable) {
  const char* name = nullptr;
  naming->get_callback_name(domain, id, &name);
  (enable == 0 ? switched_off : switched_on).insert(name);
  return CUPTI_SUCCESS;
}
CUptiResult note_runtime(CUpti_CallbackId id, std::uint8_t enable) {
  return note(CUPTI_CB_DOMAIN_RUNTIME_API, id, enable);
}
CUptiResult note_driver(CUpti_CallbackId id, std::uint8_t enable) {
  return note(CUPTI_CB_DOMAIN_DRIVER_API, id, enable);
}
CUptiResult CUPTIAPI note_kind(CUpti_ActivityKind kind) {
  enabled.insert(kind);
  return CUPTI_SUCCESS;
}

// Calls record_calls() with a fake libcupti. `can_switch`: the fake can switch single functions on
// and off.
std::vector<std::pair<CUpti_ActivityKind, CUptiResult>> choose(const Request& request,
                                                               bool can_switch = true) {
  switched_off.clear();
  switched_on.clear();
  enabled.clear();
  cupti::CuptiApi notes = *naming;
  notes.activity_enable_runtime_api = can_switch ? note_runtime : nullptr;
  notes.activity_enable_driver_api = can_switch ? note_driver : nullptr;
  notes.activity_enable = note_kind;
  return record_calls(notes, request);
}

Request with(Group group) {
  Request request;
  request.set(group, true);
  return request;
}

TEST_CASE("cheap calls are quiet in any version", "[inject]") {
  for (const char* name :
       {"cudaGetDevice_v3020", "cudaGetLastError_v3020", "cudaPeekAtLastError_v3020",
        "cudaDeviceGetAttribute_v5000", "cudaStreamIsCapturing_v10000",
        "cudaStreamIsCapturing_ptsz_v10000", "cuCtxGetCurrent", "cuCtxPushCurrent_v2",
        "cuDeviceGetAttribute", "cuKernelGetName", "cuDriverGetVersion",
        "cudaThreadExchangeStreamCaptureMode_v10010", "cudaEventElapsedTime_v12080",
        "cuTensorMapEncodeTiled", "cudaEventDestroy_v3020", "cuKernelGetFunction",
        "cudaFuncSetAttribute_v9000", "cudaOccupancyMaxActiveBlocksPerMultiprocessor_v6000"}) {
    INFO(name);
    CHECK(is_quiet(name));
  }
}

TEST_CASE("calls that do or wait for something are not quiet", "[inject]") {
  for (const char* name :
       {"cudaLaunchKernel_v7000", "cudaMemcpyAsync_v3020", "cudaMalloc_v3020", "cudaFree_v3020",
        "cudaDeviceSynchronize_v3020", "cudaStreamWaitEvent_v3020", "cudaEventQuery_v3020",
        "cudaStreamQuery_v3020", "cudaEventRecord_v3020", "cudaFuncGetAttributes_v3020",
        "cudaEventCreate_v3020", "cudaSetDevice_v3020", "cudaGetDeviceProperties_v2_v12000",
        "cuLaunchKernelEx", "cuModuleLoadData", "cuLibraryLoadData", "cuInit",
        "cuMemcpyHtoDAsync_v2", ""}) {
    INFO(name);
    CHECK_FALSE(is_quiet(name));
  }
}

TEST_CASE("a name that merely begins like a quiet one is not quiet", "[inject]") {
  CHECK_FALSE(is_quiet("cudaGetDeviceX_v1"));
  CHECK_FALSE(is_quiet("cudaGet"));
}

// The choice if lapscope records both kinds of calls completely.
const std::vector<std::pair<CUpti_ActivityKind, CUptiResult>> both = {
    {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_SUCCESS}, {CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_SUCCESS}};

TEST_CASE("every function but the quiet ones is switched on, in both APIs", "[inject]") {
  naming = &test::real_cupti();
  CHECK(choose(Request()) == both);
  CHECK(switched_off.empty());
  CHECK(enabled.empty());
  for (const char* name : {"cudaLaunchKernel_v7000", "cudaStreamSynchronize_v3020",
                           "cudaSetDevice_v3020", "cuModuleLoadData", "cuLaunchKernel"}) {
    INFO(name);
    CHECK(switched_on.contains(name));
  }
  int quiet = 0;
  for (const auto domain : {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API}) {
    for (CUpti_CallbackId id = 1; id <= 1200; ++id) {
      const char* found = nullptr;
      if (naming->get_callback_name(domain, id, &found) != CUPTI_SUCCESS || !found) continue;
      const std::string name = found;
      INFO(name);
      REQUIRE(switched_on.contains(name) != is_quiet(name));
      if (!is_quiet(name)) continue;
      ++quiet;
      CHECK_FALSE(issues_work(name));
      // The analyzer derives no cause from calls of this function.
      CHECK(analyzer::call_kind(name) == analyzer::CallKind::other);
      // Functions with such words in their names issue work, wait, allocate or load. They are
      // recorded by default.
      for (const char* word :
           {"Launch", "Memcpy", "Memset", "Malloc", "Alloc", "Free", "Synchronize", "Wait",
            "Record", "Load", "Create", "Register", "Query"}) {
        if (name != "cuFuncIsLoaded") CHECK(name.find(word) == std::string::npos);
      }
    }
  }
  CHECK(quiet > 80);
}

TEST_CASE("without driver calls none is switched on", "[inject]") {
  naming = &test::real_cupti();
  Request request;
  request.set(Group::driver_calls, false);
  CHECK(choose(request).size() == 1);
  CHECK(switched_on.contains("cudaLaunchKernel_v7000"));
  CHECK_FALSE(switched_on.contains("cuLaunchKernel"));
}

TEST_CASE("all calls are recorded by their kinds", "[inject]") {
  naming = &test::real_cupti();
  CHECK(choose(with(Group::all_calls)) == both);
  CHECK(switched_off.empty());
  CHECK(switched_on.empty());
  CHECK(enabled == std::set{CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER});
}

TEST_CASE("a light recording has the calls that issue work, of both APIs", "[inject]") {
  naming = &test::real_cupti();
  CHECK(choose(with(Group::light)).empty());
  CHECK(switched_off.empty());
  CHECK(enabled.empty());
  for (const char* name :
       {"cudaLaunchKernel_v7000", "cudaLaunchKernelExC_ptsz_v11060", "cudaGraphLaunch_v10000",
        "cudaLaunchCooperativeKernel_v9000", "cudaMemcpyAsync_v3020", "cudaMemcpy2D_ptds_v7000",
        "cudaMemsetAsync_v3020", "cudaMemcpyToSymbol_v3020", "cuLaunchKernel", "cuLaunchKernelEx",
        "cuGraphLaunch", "cuMemcpyHtoDAsync_v2", "cuMemsetD8Async", "cudaProfilerStart_v4000",
        "cuProfilerStop", "cudaStreamBeginCapture_v10000", "cuStreamEndCapture"}) {
    INFO(name);
    CHECK(switched_on.contains(name));
  }
  using analyzer::CallKind;
  const std::set<CallKind> issuing = {CallKind::launch, CallKind::graph_launch,
                                      CallKind::copy_async, CallKind::copy_blocking,
                                      CallKind::memset};
  for (const std::string& name : switched_on) {
    INFO(name);
    const bool is_bracket =
        name.find("Profiler") != std::string::npos || name.find("Capture") != std::string::npos;
    const bool decompresses = name.find("Decompress") != std::string::npos;
    CHECK((is_bracket || decompresses || issuing.contains(analyzer::call_kind(name))));
  }
}

TEST_CASE("a libcupti that cannot switch calls records all of them", "[inject]") {
  naming = &test::real_cupti();
  CHECK(choose(Request(), false) == both);
  CHECK(enabled == std::set{CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER});
  CHECK(choose(with(Group::light), false).empty());
  CHECK(enabled == std::set{CUPTI_ACTIVITY_KIND_RUNTIME});
}

}  // namespace
}  // namespace lapscope::inject
