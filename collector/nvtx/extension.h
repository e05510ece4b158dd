#pragma once

namespace lapscope::nvtx {

// What a module that uses one of NVTX's extensions calls before its first call of that: has the
// schemas of payloads registered here. `module` is its nvtxExtModuleInfo_t; may be null. Of other
// extensions, and versions not known, nothing is touched. Always 1: to NVTX, a tool is there, as it
// was without this.
int initialize_extension(void* module) noexcept;

}  // namespace lapscope::nvtx
