#pragma once

#include <pthread.h>

// Functions that wait, compiled with optimization and without frame pointers, as most programs are.
namespace lapscope::test {

void wait_for_lock(pthread_mutex_t& mutex);
void wait_for_input(int file);

}  // namespace lapscope::test
