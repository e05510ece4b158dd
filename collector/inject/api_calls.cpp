#include "collector/inject/api_calls.h"

#include <algorithm>
#include <array>

namespace lapscope::inject {
namespace {

// Sorted, without suffixes. Not here: queries of a function's attributes or occupancy, which load
// the function's module if it is not loaded yet; what makes the first context of a device
// (cudaSetDevice); and what takes long at times (cudaMemGetInfo, cudaEventCreate).
constexpr std::array<std::string_view, 86> quiet_functions = {
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
    "cuGetErrorName",
    "cuGetErrorString",
    "cuGetExportTable",
    "cuGetProcAddress",
    "cuKernelGetName",
    "cuMemGetAddressRange",
    "cuMemHostGetDevicePointer",
    "cuMemHostGetFlags",
    "cuMemPoolGetAttribute",
    "cuPointerGetAttribute",
    "cuPointerGetAttributes",
    "cuStreamGetAttribute",
    "cuStreamGetCaptureInfo",
    "cuStreamGetCtx",
    "cuStreamGetDevice",
    "cuStreamGetFlags",
    "cuStreamGetGreenCtx",
    "cuStreamGetId",
    "cuStreamGetPriority",
    "cuStreamIsCapturing",
    "cuTensorMapEncodeIm2col",
    "cuTensorMapEncodeIm2colWide",
    "cuTensorMapEncodeTiled",
    "cuTensorMapReplaceAddress",
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
    "cudaGetDevice",
    "cudaGetDeviceCount",
    "cudaGetDeviceFlags",
    "cudaGetDriverEntryPoint",
    "cudaGetDriverEntryPointByVersion",
    "cudaGetErrorName",
    "cudaGetErrorString",
    "cudaGetLastError",
    "cudaHostGetDevicePointer",
    "cudaHostGetFlags",
    "cudaMemPoolGetAttribute",
    "cudaPeekAtLastError",
    "cudaPointerGetAttributes",
    "cudaRuntimeGetVersion",
    "cudaStreamGetAttribute",
    "cudaStreamGetCaptureInfo",
    "cudaStreamGetDevice",
    "cudaStreamGetFlags",
    "cudaStreamGetId",
    "cudaStreamGetPriority",
    "cudaStreamIsCapturing",
    "cudaThreadExchangeStreamCaptureMode",
};
static_assert(std::is_sorted(quiet_functions.begin(), quiet_functions.end()));

// What the names of functions begin with.
constexpr std::array<std::string_view, 11> issuing = {
    "cuGraphLaunch", "cuLaunch",     "cuMemBatchDecompress", "cuMemcpy",
    "cuMemset",      "cuProfilerSt", "cudaGraphLaunch",      "cudaLaunch",
    "cudaMemcpy",    "cudaMemset",   "cudaProfilerSt",
};

// No function of either API has a number above this in CUDA 12 or 13; numbers without a function
// are refused by cuptiGetCallbackName.
constexpr CUpti_CallbackId last_callback_id = 1200;

// Switches the functions of an API that `chosen` names. CUPTI may know functions that the driver
// does not have: its refusal counts only when it refused all.
CUptiResult switch_calls(const cupti::CuptiApi& cupti, CUpti_CallbackDomain domain,
                         cupti::CuptiApi::EnableApi enable, bool (*chosen)(std::string_view),
                         bool on) {
  if (!enable) return CUPTI_ERROR_NOT_SUPPORTED;
  CUptiResult answer = CUPTI_ERROR_NOT_SUPPORTED;
  for (CUpti_CallbackId id = 1; id <= last_callback_id; ++id) {
    const char* name = nullptr;
    if (cupti.get_callback_name(domain, id, &name) != CUPTI_SUCCESS || !name) continue;
    if (!chosen(name)) continue;
    const CUptiResult result = enable(id, on ? 1 : 0);
    if (answer != CUPTI_SUCCESS) answer = result;
  }
  return answer;
}

}  // namespace

bool is_quiet(std::string_view callback_name) {
  const std::string_view base = callback_name.substr(0, callback_name.find('_'));
  return std::binary_search(quiet_functions.begin(), quiet_functions.end(), base);
}

bool issues_work(std::string_view callback_name) {
  if (callback_name.find("HostFunc") != std::string_view::npos) return false;
  return std::any_of(issuing.begin(), issuing.end(), [callback_name](std::string_view begin) {
    return callback_name.starts_with(begin);
  });
}

CUptiResult choose_calls(const cupti::CuptiApi& cupti, const request::Request& request) {
  using request::Group;
  const auto switch_both = [&cupti](bool (*chosen)(std::string_view), bool on) {
    switch_calls(cupti, CUPTI_CB_DOMAIN_DRIVER_API, cupti.activity_enable_driver_api, chosen, on);
    return switch_calls(cupti, CUPTI_CB_DOMAIN_RUNTIME_API, cupti.activity_enable_runtime_api,
                        chosen, on);
  };
  if (!request.wants(Group::light)) {
    if (!request.wants(Group::all_calls)) switch_both(is_quiet, false);
    return CUPTI_SUCCESS;
  }
  const CUptiResult result = switch_both(issues_work, true);
  return result == CUPTI_ERROR_NOT_SUPPORTED ? cupti.activity_enable(CUPTI_ACTIVITY_KIND_RUNTIME)
                                             : result;
}

}  // namespace lapscope::inject
