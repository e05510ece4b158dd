#include "tests/collector/host_samples/waits.h"

#include <poll.h>
#include <sys/syscall.h>

namespace lapscope::test {
namespace {

[[gnu::noinline]] long poll_without_limit(pollfd* file) {
  long result = SYS_poll;
#if defined(__x86_64__)
  asm volatile("syscall" : "+a"(result) : "D"(file), "S"(1L), "d"(-1L) : "rcx", "r11", "memory");
#else
  result = ::poll(file, 1, -1);
#endif
  return result;
}

}  // namespace

void wait_for_input(int file) {
  pollfd ready{file, POLLIN, 0};
  poll_without_limit(&ready);
  asm volatile("");  // prevents a tail call, which would leave no frame
}

}  // namespace lapscope::test
