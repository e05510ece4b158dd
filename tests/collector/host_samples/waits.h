#pragma once

namespace lapscope::test {

// Waits until a file can be read. This function calls another function, which makes the system
// call. Both are compiled with optimization and without frame pointers, like most programs. On
// x86-64 they do not use the C library, because some distributions compile it with frame pointers.
void wait_for_input(int file);

}  // namespace lapscope::test
