#include <nvtx3/nvToolsExt.h>

// NVTX as two functions of a shared library, for languages that cannot use C headers
// (lapscope.range in Python). At its first call, NVTX loads the tool that NVTX_INJECTION64_PATH
// names. Without a tool, its functions do nothing.

#define LAPSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

// Opens a range in the calling thread. `name` is UTF-8 and is copied.
LAPSCOPE_EXPORT void lapscope_range_push(const char* name) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = name;
  nvtxRangePushEx(&attributes);
}

LAPSCOPE_EXPORT void lapscope_range_pop() { nvtxRangePop(); }
