#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "collector/python_frames/interpreter_layout.h"
#include "collector/python_frames/snapshot.h"

namespace lapscope::python_frames {

// The finished garbage collections of an interpreter, by generation. The interpreter itself counts
// them (gc.get_stats()).
struct GarbageCollections {
  static constexpr std::size_t generations = 3;

  // One collection. Times are in ns of CLOCK_MONOTONIC. The collections of each generation are
  // numbered from 1.
  struct Known {
    std::int64_t number = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  struct Generation {
    std::int64_t count = 0;
    // The most recent collections, in no particular order. They are known only for Python 3.15. In
    // unused elements, `number` is 0.
    std::array<Known, 11> known{};
  };
  std::array<Generation, generations> of;
};

// Returns the collections of an interpreter. `interpreter` is the address of the interpreter's
// state. Returns nothing if the data cannot be read, or if they change while they are read.
std::optional<GarbageCollections> collections_of(std::uintptr_t interpreter, const Layout& layout,
                                                 const OwnProcess& process) noexcept;

}  // namespace lapscope::python_frames
