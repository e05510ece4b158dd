#pragma once

#include <cstddef>

#include "collector/nvtx/early_ranges.h"
#include "collector/nvtx_interface/interface.h"

namespace lapscope::nvtx {

EarlyRanges& early_ranges();

// Calls `initialize` (CUPTI's NVTX entry point), which puts CUPTI's functions into the function
// tables of a module that uses NVTX. Then replaces some of these functions by functions of
// lapscope, which call CUPTI's functions. Functions that can carry a payload are always replaced.
// If `watch` is true, functions that open, close or name ranges are replaced, too.
//
// `get_export_table` is the argument that NVTX passes to an entry point; may be null. Returns the
// result of `initialize`.
int initialize_watched(void* get_export_table, int (*initialize)(void*), bool watch);

// Functions of NVTX's payload extension: they open a range, close it, or set a mark. `payloads`
// points to `count` values of nvtxPayloadData_t. The ranges and marks have no text. NCCL calls
// pop_payload() for a range that gets its payload after its begin. pop_payload() and end_payload()
// do not record the payload. Before initialize_watched(), these five functions do nothing.
void mark_payload(DomainHandle domain, const void* payloads, std::size_t count);
int push_payload(DomainHandle domain, const void* payloads, std::size_t count);
int pop_payload(DomainHandle domain, const void* payloads, std::size_t count);
nvtxRangeId_t start_payload(DomainHandle domain, const void* payloads, std::size_t count);
void end_payload(DomainHandle domain, nvtxRangeId_t id, const void* payloads, std::size_t count);

// NVTX's entry point for extensions. Each program or library that uses an NVTX extension calls this
// function before its first use of the extension. For the payload extension, this function installs
// the five functions above, and lapscope's functions that register payload schemas and
// enumerations. For other extensions and unknown versions, it changes nothing. `module` points to
// the caller's nvtxExtModuleInfo_t; may be null. Always returns 1 ("a tool is present").
int initialize_extension(void* module) noexcept;

}  // namespace lapscope::nvtx
