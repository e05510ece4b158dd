#include "tests/collector/host_samples/waits.h"

#include <poll.h>

namespace lapscope::test {

void wait_for_lock(pthread_mutex_t& mutex) {
  ::pthread_mutex_lock(&mutex);
  ::pthread_mutex_unlock(&mutex);
  asm volatile("");  // not the jump that would leave no frame
}

void wait_for_input(int file) {
  pollfd ready{file, POLLIN, 0};
  ::poll(&ready, 1, -1);
  asm volatile("");
}

}  // namespace lapscope::test
