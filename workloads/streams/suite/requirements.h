#pragma once

#include <cstddef>

#include "workloads/streams/suite/case.h"

namespace lapscope::workloads::streams {

// Sets the variables of the variant for this process. Call it before the first call of CUDA, which
// reads them once.
void set_environment(const Variant& variant);

// What a case of this size may take at most.
struct Memory {
  std::size_t host_bytes = 0;
  std::size_t device_bytes = 0;
};
Memory memory_needed(const Shape& shape);

// Throws SkippedError if the machine has too few GPUs or too little free memory.
void require_machine(const Needs& needs, const Shape& shape);

}  // namespace lapscope::workloads::streams
