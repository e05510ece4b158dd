// Written by tests/approve.sh from tests/traces; docs/what-if-accuracy.md has each pair.
// clang-format off
#pragma once

#include "analyzer/findings/error_band.h"

namespace lapscope::analyzer {

inline constexpr RecordedAccuracy recorded_accuracy{
    {13, 0.0240, 0.0704, 0.8584},
    {12, 0.0170, 0.0623, 0.5190},
    {{
         "stream-order",
         "default-stream-barrier",
         "queue-alias",
         "host-func",
         "host-sync",
         "pageable-copy",
         "alloc-free",
         "host-pinning",
    }}};

inline constexpr KeptAside kept_aside{9, 9};

}  // namespace lapscope::analyzer
