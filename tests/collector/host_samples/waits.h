#pragma once

namespace lapscope::test {

// Waits until a file can be read. It calls a function that makes the system call. Both functions
// are compiled with optimization and without frame pointers, as most programs are. On x86-64, they
// do not use the C library, because some distributions compile it with frame pointers.
void wait_for_input(int file);

}  // namespace lapscope::test
