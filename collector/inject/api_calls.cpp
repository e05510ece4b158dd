#include "collector/inject/api_calls.h"

#include <algorithm>
#include <array>

namespace lapscope::inject {
namespace {

// Functions that are recorded only with Group::all_calls. The names are sorted and have no CUPTI
// suffixes. The table leaves out functions whose records help the analysis:
// - cudaFuncGetAttributes, from which the cause module-load is derived
// - functions that make the first context of a device (cudaSetDevice)
// - functions that sometimes take long (cudaMemGetInfo, cudaEventCreate)
// Some functions of the table can load a kernel's code. CUPTI's overhead records show most of the
// time of such a load.
constexpr std::array<std::string_view, 62> quiet_functions = {
    "cuCtxGetApiVersion",
    "cuCtxGetCurrent",
    "cuCtxGetDevice",
    "cuCtxGetFlags",
    "cuCtxGetId",
    "cuCtxGetLimit",
    "cuCtxGetStreamPriorityRange",
    "cuCtxPopCurrent",
    "cuCtxPushCurrent",
    "cuCtxSetCurrent",
    "cuDeviceCanAccessPeer",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetByPCIBusId",
    "cuDeviceGetCount",
    "cuDeviceGetDefaultMemPool",
    "cuDeviceGetLuid",
    "cuDeviceGetMemPool",
    "cuDeviceGetName",
    "cuDeviceGetP2PAttribute",
    "cuDeviceGetPCIBusId",
    "cuDeviceGetProperties",
    "cuDeviceGetUuid",
    "cuDevicePrimaryCtxGetState",
    "cuDeviceTotalMem",
    "cuDriverGetVersion",
    "cuEventDestroy",
    "cuEventElapsedTime",
    "cuFuncIsLoaded",
    "cuFuncSetAttribute",
    "cuFuncSetCacheConfig",
    "cuFuncSetSharedMemConfig",
    "cuMemGetAddressRange",
    "cuMemPoolGetAttribute",
    "cuStreamIsCapturing",
    "cuThreadExchangeStreamCaptureMode",
    "cudaDeviceCanAccessPeer",
    "cudaDeviceGetAttribute",
    "cudaDeviceGetByPCIBusId",
    "cudaDeviceGetDefaultMemPool",
    "cudaDeviceGetMemPool",
    "cudaDeviceGetP2PAttribute",
    "cudaDeviceGetPCIBusId",
    "cudaDriverGetVersion",
    "cudaEventDestroy",
    "cudaEventElapsedTime",
    "cudaFuncGetName",
    "cudaFuncGetParamInfo",
    "cudaGetDevice",
    "cudaGetDeviceCount",
    "cudaGetDeviceFlags",
    "cudaGetDriverEntryPoint",
    "cudaGetDriverEntryPointByVersion",
    "cudaGetErrorName",
    "cudaGetErrorString",
    "cudaGetLastError",
    "cudaMemPoolGetAttribute",
    "cudaPeekAtLastError",
    "cudaPointerGetAttributes",
    "cudaRuntimeGetVersion",
    "cudaStreamIsCapturing",
    "cudaThreadExchangeStreamCaptureMode",
};
static_assert(std::is_sorted(quiet_functions.begin(), quiet_functions.end()));

// Functions whose names begin with these texts are recorded only with Group::all_calls. The table
// leaves out cudaGet, cudaFuncGet and cuFuncSet, because some of these functions are recorded by
// default.
constexpr std::string_view quiet_begins[] = {
    "cuFuncGet",   "cuGet",         "cuKernelGet",  "cuKernelSet", "cuMemHostGet",
    "cuOccupancy", "cuPointerGet",  "cuStreamGet",  "cuTensorMap", "cudaFuncSet",
    "cudaHostGet", "cudaOccupancy", "cudaStreamGet"};

// Beginnings of the names of functions that issue work. The table also has the functions that begin
// and end a stream capture. Their records show that a launch in between was captured into a graph,
// so that it ran no kernel. Without these records, the kernel of such a launch would seem to be
// lost.
constexpr std::array<std::string_view, 15> issuing = {
    "cuGraphLaunch",
    "cuLaunch",
    "cuMemBatchDecompress",
    "cuMemcpy",
    "cuMemset",
    "cuProfilerSt",
    "cuStreamBeginCapture",
    "cuStreamEndCapture",
    "cudaGraphLaunch",
    "cudaLaunch",
    "cudaMemcpy",
    "cudaMemset",
    "cudaProfilerSt",
    "cudaStreamBeginCapture",
    "cudaStreamEndCapture",
};

// The highest callback id to try. The callback ids of both APIs are lower in CUDA 12 and 13.
// cuptiGetCallbackName returns an error for ids without a function.
constexpr CUpti_CallbackId last_callback_id = 1200;

// An API of CUDA: its activity kind, its callback domain, and CUPTI's function that enables the
// records of one API function.
struct Api {
  CUpti_ActivityKind kind;
  CUpti_CallbackDomain domain;
  cupti::CuptiApi::EnableApi enable;
};

// Enables the records of the API's functions for which chosen(name) returns true. Returns success
// if CUPTI accepts at least one function, because it may refuse functions that the driver does not
// have.
CUptiResult record_chosen(const cupti::CuptiApi& cupti, const Api& api,
                          bool (*chosen)(std::string_view)) {
  if (!api.enable) return CUPTI_ERROR_NOT_SUPPORTED;
  CUptiResult answer = CUPTI_ERROR_NOT_SUPPORTED;
  for (CUpti_CallbackId id = 1; id <= last_callback_id; ++id) {
    const char* name = nullptr;
    if (cupti.get_callback_name(api.domain, id, &name) != CUPTI_SUCCESS || !name) continue;
    if (!chosen(name)) continue;
    const CUptiResult result = api.enable(id, 1);
    if (answer != CUPTI_SUCCESS) answer = result;
  }
  return answer;
}

bool is_not_quiet(std::string_view callback_name) { return !is_quiet(callback_name); }

}  // namespace

bool is_quiet(std::string_view callback_name) {
  const std::string_view base = callback_name.substr(0, callback_name.find('_'));
  return std::ranges::any_of(quiet_begins,
                             [base](auto begin) { return base.starts_with(begin); }) ||
         std::binary_search(quiet_functions.begin(), quiet_functions.end(), base);
}

bool issues_work(std::string_view callback_name) {
  if (callback_name.find("HostFunc") != std::string_view::npos) return false;
  return std::any_of(issuing.begin(), issuing.end(), [callback_name](std::string_view begin) {
    return callback_name.starts_with(begin);
  });
}

bool is_recorded(const request::Request& request, CUpti_CallbackDomain domain,
                 std::string_view callback_name) {
  using request::Group;
  if (request.wants(Group::light)) return issues_work(callback_name);
  const bool is_runtime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
  if (!is_runtime && !request.wants(Group::driver_calls)) return false;
  return request.wants(Group::all_calls) || is_not_quiet(callback_name);
}

std::vector<std::pair<CUpti_ActivityKind, CUptiResult>> record_calls(
    const cupti::CuptiApi& cupti, const request::Request& request) {
  using request::Group;
  const Api apis[] = {
      {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_CB_DOMAIN_RUNTIME_API, cupti.activity_enable_runtime_api},
      {CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_CB_DOMAIN_DRIVER_API, cupti.activity_enable_driver_api}};
  const bool is_light = request.wants(Group::light);
  // In an armed process, records are enabled late, when a context may exist. If the records of a
  // single function are enabled after a context exists, CUPTI never writes them, although CUPTI
  // 130001 returns CUPTI_SUCCESS. So in an armed process, the records of all functions of an API
  // are enabled together.
  const bool is_late = request.capture.is_armed();
  std::vector<std::pair<CUpti_ActivityKind, CUptiResult>> answers;
  for (const Api& api : apis) {
    const bool is_runtime = api.kind == CUPTI_ACTIVITY_KIND_RUNTIME;
    if (!is_runtime && !is_light && !request.wants(Group::driver_calls)) continue;
    CUptiResult answer = CUPTI_ERROR_NOT_SUPPORTED;
    if (is_light && !is_late) {
      answer = record_chosen(cupti, api, issues_work);
    } else if (!request.wants(Group::all_calls) && !is_late) {
      answer = record_chosen(cupti, api, is_not_quiet);
    }
    if (answer == CUPTI_ERROR_NOT_SUPPORTED && (is_runtime || is_late || !is_light)) {
      answer = cupti.activity_enable(api.kind);
    }
    if (is_late || !is_light || (is_runtime && answer != CUPTI_SUCCESS)) {
      answers.emplace_back(api.kind, answer);
    }
  }
  return answers;
}

}  // namespace lapscope::inject
