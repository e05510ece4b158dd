#pragma once

#include <string>

#include "collector/decode/decode_context.h"

namespace lapscope::decode {

// The id of an NVTX domain ("" is the default one, 0), whose row is written at its first
// appearance, at this session time in ns.
std::int64_t nvtx_domain_id(const std::string& name, std::int64_t time, DecodeContext& context);

// Writes a range that is complete, in place of the row it had while it was open, if it reaches into
// the captured stretch.
void write_range(const NvtxRanges::Closed& range, DecodeContext& context);

}  // namespace lapscope::decode
