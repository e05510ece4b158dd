#pragma once

namespace lapscope::nvtx {

// NVTX's entry point for extensions. Each program or library that uses an NVTX extension calls this
// function before its first use of the extension. For the payload extension, this entry point
// installs lapscope's functions for schemas, ranges and marks (watch_calls.h). For other extensions
// and unknown versions, it changes nothing. `module` points to the caller's nvtxExtModuleInfo_t;
// may be null. Always returns 1 ("a tool is present").
int initialize_extension(void* module) noexcept;

}  // namespace lapscope::nvtx
