#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "collector/python_frames/interpreter_layout.h"

namespace lapscope::python_frames {

// In CPython 3.13 and later, _PyRuntime begins with a list of field offsets for debuggers. The list
// consists of a mark, the version, a flag for free-threaded builds, and the offsets, each as a
// number of 8 bytes. The order of the offsets differs between releases, but is the same in all
// builds of one release.

// Returns whether the list of this release can be read. For example, `release` is 0x030d for 3.13.
bool has_debug_offsets(std::uint32_t release);

// Reads the list at the beginning of `runtime` (_PyRuntime), and returns the layout that the list
// describes. Derives offsets that are not in the list from neighbouring offsets. Returns nothing if
// the mark is wrong, if the version is not `version`, or if an offset is impossible.
std::optional<Layout> layout_of(std::span<const std::byte> runtime, std::uint32_t version);

}  // namespace lapscope::python_frames
