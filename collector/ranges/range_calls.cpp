#include <nvtx3/nvToolsExt.h>

// NVTX as two functions of a shared library, for languages that cannot use C headers
// (lapscope.range in Python). NVTX itself is header-only. When the program first calls an NVTX
// function, NVTX loads the tool that the environment variable NVTX_INJECTION64_PATH names. If the
// variable names no tool, the functions of NVTX do nothing.

#define LAPSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

// Opens a range in the calling thread, nested in the thread's open ranges. `name` is UTF-8 and is
// copied.
LAPSCOPE_EXPORT void lapscope_range_push(const char* name) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = name;
  nvtxRangePushEx(&attributes);
}

// Closes the innermost open range of the calling thread.
LAPSCOPE_EXPORT void lapscope_range_pop() { nvtxRangePop(); }
