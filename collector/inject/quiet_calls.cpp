#include "collector/inject/quiet_calls.h"

#include <algorithm>
#include <array>

namespace lapscope::inject {
namespace {

// Sorted. Names without the suffixes that CUPTI adds (_v3020, _v2, _ptsz). Queries of a function's
// attributes or occupancy are not here: they load the function's module if it is not loaded yet.
constexpr std::array<std::string_view, 39> quiet = {
    "cuCtxGetCurrent",
    "cuCtxGetDevice",
    "cuCtxPopCurrent",
    "cuCtxPushCurrent",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetByPCIBusId",
    "cuDeviceGetCount",
    "cuDeviceGetLuid",
    "cuDeviceGetName",
    "cuDeviceGetP2PAttribute",
    "cuDeviceGetPCIBusId",
    "cuDeviceGetProperties",
    "cuDeviceGetUuid",
    "cuDevicePrimaryCtxGetState",
    "cuDeviceTotalMem",
    "cuDriverGetVersion",
    "cuGetErrorString",
    "cuGetExportTable",
    "cuGetProcAddress",
    "cuKernelGetName",
    "cuPointerGetAttribute",
    "cuPointerGetAttributes",
    "cuStreamGetCaptureInfo",
    "cuStreamGetCtx",
    "cuStreamIsCapturing",
    "cudaDeviceGetAttribute",
    "cudaDriverGetVersion",
    "cudaGetDevice",
    "cudaGetDeviceCount",
    "cudaGetDriverEntryPoint",
    "cudaGetDriverEntryPointByVersion",
    "cudaGetLastError",
    "cudaPeekAtLastError",
    "cudaPointerGetAttributes",
    "cudaRuntimeGetVersion",
    "cudaStreamGetCaptureInfo",
    "cudaStreamIsCapturing",
    "cudaThreadExchangeStreamCaptureMode",
};
static_assert(std::is_sorted(quiet.begin(), quiet.end()));

// No function of either API has a number above this in CUDA 12 or 13; numbers without a function
// are refused by cuptiGetCallbackName.
constexpr CUpti_CallbackId last_callback_id = 1200;

void disable(const cupti::CuptiApi& cupti, CUpti_CallbackDomain domain,
             cupti::CuptiApi::EnableApi enable) {
  if (!enable) return;
  for (CUpti_CallbackId id = 1; id <= last_callback_id; ++id) {
    const char* name = nullptr;
    if (cupti.get_callback_name(domain, id, &name) != CUPTI_SUCCESS || !name) continue;
    if (is_quiet_call(name)) enable(id, 0);
  }
}

}  // namespace

bool is_quiet_call(std::string_view callback_name) {
  const std::string_view base = callback_name.substr(0, callback_name.find('_'));
  return std::binary_search(quiet.begin(), quiet.end(), base);
}

void disable_quiet_calls(const cupti::CuptiApi& cupti) {
  disable(cupti, CUPTI_CB_DOMAIN_RUNTIME_API, cupti.activity_enable_runtime_api);
  disable(cupti, CUPTI_CB_DOMAIN_DRIVER_API, cupti.activity_enable_driver_api);
}

}  // namespace lapscope::inject
