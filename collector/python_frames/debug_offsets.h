#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "collector/python_frames/interpreter_layout.h"

namespace lapscope::python_frames {

// CPython 3.13 and later say where they keep things, for debuggers, at the beginning of _PyRuntime:
// a mark, the version, whether it is a free-threaded build, and offsets of 8 bytes each. Which
// offset is where in that list differs between two releases, and is the same in all builds of one.

// Whether that list is read of the release (0x030d is 3.13).
bool has_debug_offsets(std::uint32_t release);

// The contents of the list at the beginning of `runtime`, with what follows from it: an offset that
// is not in the list is derived from those next to it. Nothing if the mark or the version is a
// different one, or an offset is not possible.
std::optional<Layout> layout_of(std::span<const std::byte> runtime, std::uint32_t version);

}  // namespace lapscope::python_frames
