#pragma once

namespace lapscope::test {

// Waits until a file can be read. Another function, which it calls, makes the system call. Like
// most programs, the two functions have optimization and no frame pointers. On x86-64 they do not
// call libc, which some distributions build with frame pointers.
void wait_for_input(int file);

}  // namespace lapscope::test
