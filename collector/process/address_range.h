#pragma once

#include <cstdint>

namespace lapscope::process {

struct AddressRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool contains(std::uintptr_t address) const { return address >= begin && address < end; }
};

}  // namespace lapscope::process
