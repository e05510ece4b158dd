#pragma once

namespace lapscope::nvtx {

// The function that a module which uses one of NVTX's extensions calls before its first call of
// that extension. It has the schemas of payloads registered here. `module` is its
// nvtxExtModuleInfo_t; may be null. Other extensions, and versions not known, are left untouched.
// Always returns 1: to NVTX, a tool is present, as it was without this.
int initialize_extension(void* module) noexcept;

}  // namespace lapscope::nvtx
