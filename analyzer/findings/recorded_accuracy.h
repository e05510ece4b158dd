// Written by tests/approve.sh from tests/traces; docs/what-if-accuracy.md has each pair.
// clang-format off
#pragma once

#include "analyzer/findings/error_band.h"

namespace lapscope::analyzer {

inline constexpr RecordedAccuracy recorded_accuracy{
    {13, 0.0212, 0.0676, 0.8557},
    {12, 0.0170, 0.0588, 0.5190},
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

inline constexpr KeptAside kept_aside{8, 8};

}  // namespace lapscope::analyzer
