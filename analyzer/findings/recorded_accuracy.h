// Written by tests/bench/accuracy.py from recorded programs; docs/what-if-accuracy.md has each pair.
// clang-format off
#pragma once

#include <array>
#include <string_view>

#include "analyzer/findings/error_band.h"

namespace lapscope::analyzer {

inline constexpr std::array<Residuals, 3> recorded_residuals{{
    {PredictionKind::estimate, "", FixClass::host, 30, 68, 0.0132, 0.6939, 1.1260},
    {PredictionKind::saving, "", FixClass::host, 34, 72, 0.0146, 0.6939, 1.7816},
    {PredictionKind::any, "", FixClass::host, 36, 76, 0.0169, 0.3691, 1.7816},
}};
inline constexpr std::array<std::string_view, 2> recorded_gpus{
    "NVIDIA H100 80GB HBM3",
    "NVIDIA H200",
};
inline constexpr RecordedAccuracy recorded_accuracy{
    recorded_residuals, recorded_gpus, 1.0770, {36, 0.8889}};

}  // namespace lapscope::analyzer
