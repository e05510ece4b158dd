#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "collector/python_frames/interpreter_layout.h"
#include "collector/python_frames/snapshot.h"

namespace lapscope::python_frames {

// The collections of garbage of an interpreter that have ended, by generation, as it counts them
// itself (gc.get_stats()).
struct GarbageCollections {
  static constexpr std::size_t generations = 3;

  // From begin to end, ns of CLOCK_MONOTONIC. The first one of a generation is number 1.
  struct Known {
    std::int64_t number = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  struct Generation {
    std::int64_t count = 0;
    // The last ones, in no order, of an interpreter that keeps when they were (3.15); the others
    // have number 0.
    std::array<Known, 11> known{};
  };
  std::array<Generation, generations> of;
};

// The collections of the interpreter whose state is at that address. Nothing if it cannot be read,
// or changes meanwhile.
std::optional<GarbageCollections> collections_of(std::uintptr_t interpreter, const Layout& layout,
                                                 Snapshot& memory) noexcept;

}  // namespace lapscope::python_frames
