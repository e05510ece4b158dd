#pragma once

namespace lapscope::test {

// Waits until a file can be read. wait_for_input() calls another function, which makes the system
// call. Both functions are compiled like most programs: with optimization and without frame
// pointers. On x86-64, both avoid libc, because some distributions build libc with frame pointers.
void wait_for_input(int file);

}  // namespace lapscope::test
