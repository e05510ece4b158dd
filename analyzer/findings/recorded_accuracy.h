// Written by tests/bench/accuracy.py; docs/what-if-accuracy.md has each pair.
// clang-format off
#pragma once

#include <array>
#include <string_view>

#include "analyzer/findings/error_band.h"

namespace lapscope::analyzer {

inline constexpr std::array<Residuals, 5> recorded_residuals{{
    {PredictionKind::fix_class, "", FixClass::host, 25, 46, 0.0219, 0.5883, 1.1299},
    {PredictionKind::fix_class, "", FixClass::device, 19, 36, 0.0084, 0.7831, 1.0620},
    {PredictionKind::estimate, "", FixClass::host, 44, 82, 0.0138, 0.6954, 1.0952},
    {PredictionKind::saving, "", FixClass::host, 48, 86, 0.0163, 0.6954, 1.5463},
    {PredictionKind::any, "", FixClass::host, 56, 96, 0.0188, 0.3042, 1.5463},
}};
inline constexpr std::array<std::string_view, 2> recorded_gpus{
    "NVIDIA H100 80GB HBM3",
    "NVIDIA H200",
};
inline constexpr RecordedAccuracy recorded_accuracy{
    recorded_residuals, recorded_gpus, 1.0770, {56, 0.8929}};

}  // namespace lapscope::analyzer
