#pragma once

namespace lapscope::test {

// Waits until a file can be read, in a system call that a function below this one makes. Both are
// compiled with optimization and without frame pointers, as most programs are. They do not use the
// C library, because some distributions compile it with frame pointers.
void wait_for_input(int file);

}  // namespace lapscope::test
