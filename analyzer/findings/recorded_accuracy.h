// Written by tests/bench/accuracy.py; research/what-if-accuracy.md has each pair.
// clang-format off
#pragma once

#include <array>
#include <string_view>

#include "analyzer/findings/error_band.h"

namespace lapscope::analyzer {

inline constexpr std::array<Residuals, 5> recorded_residuals{{
    {PredictionKind::fix_class, "", FixClass::host, 44, 65, 0.0413, 0.3512, 1.0952},
    {PredictionKind::fix_class, "", FixClass::device, 27, 44, 0.0037, 0.7831, 1.0620},
    {PredictionKind::estimate, "", FixClass::host, 71, 109, 0.0139, 0.4202, 1.0717},
    {PredictionKind::saving, "", FixClass::host, 78, 116, 0.0161, 0.4202, 1.7224},
    {PredictionKind::any, "", FixClass::host, 93, 133, 0.0232, 0.2680, 1.5463},
}};
inline constexpr std::array<std::string_view, 2> recorded_gpus{
    "NVIDIA H100 80GB HBM3",
    "NVIDIA H200",
};
inline constexpr RecordedAccuracy recorded_accuracy{
    recorded_residuals, recorded_gpus, 1.0770, {93, 0.8763}};

}  // namespace lapscope::analyzer
