#pragma once

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/allocator_interface.h>
#else
#include <malloc.h>
#endif

#include <cstddef>

namespace lapscope::test {

// Bytes that this process has allocated and not freed. AddressSanitizer has an allocator of its
// own.
inline std::size_t heap_in_use() {
#ifdef __SANITIZE_ADDRESS__
  return __sanitizer_get_current_allocated_bytes();
#else
  return ::mallinfo2().uordblks;
#endif
}

}  // namespace lapscope::test
