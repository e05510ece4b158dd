#pragma once

namespace lapscope::nvtx {

// NVTX's entry point for extensions. Each program or library that uses an NVTX extension calls this
// function before its first use of the extension. For the payload extension, the function installs
// the functions that register schemas, and those of ranges and marks (watch_calls.h). It leaves
// other extensions and unknown versions unchanged. `module` points to the caller's
// nvtxExtModuleInfo_t; may be null. Always returns 1 ("a tool is present").
int initialize_extension(void* module) noexcept;

}  // namespace lapscope::nvtx
