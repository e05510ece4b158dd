#pragma once

#include <malloc.h>

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
// Declared in sanitizer/allocator_interface.h, which GCC does not install.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace lapscope::test {

// Returns how many bytes are allocated. AddressSanitizer has its own allocator and its own count.
inline std::size_t heap_in_use() {
#ifdef __SANITIZE_ADDRESS__
  return __sanitizer_get_current_allocated_bytes();
#else
  return ::mallinfo2().uordblks;
#endif
}

}  // namespace lapscope::test
