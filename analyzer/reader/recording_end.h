#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/reader/open_trace.h"

namespace lapscope::analyzer {

// When the recording ended, in the trace's time: whatever the trace holds had ended by then.
// Nothing where the trace does not tell.
//
// - A trace of lapscope: the last reading of the host's clock.
// - An export of Nsight Systems: how long the session was. When it began and ended is there as
//   well, but on a clock that no record has. Times that the export has moved (--ts-shift,
//   --ts-normalize) are not judged.
std::optional<std::int64_t> end_of_recording(OpenedTrace& opened);

}  // namespace lapscope::analyzer
