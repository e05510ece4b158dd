#include <nvtx3/nvToolsExt.h>

// NVTX as two functions of a library, for languages that can load one and have no C headers:
// Python's lapscope.range. NVTX itself is headers alone; it loads the tool that
// NVTX_INJECTION64_PATH names at the first call, and without one a call does nothing.

#define LAPSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

// Opens a range of this thread inside those that it has open. `name` is UTF-8, and copied.
LAPSCOPE_EXPORT void lapscope_range_push(const char* name) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = name;
  nvtxRangePushEx(&attributes);
}

// Ends the innermost one.
LAPSCOPE_EXPORT void lapscope_range_pop() { nvtxRangePop(); }
