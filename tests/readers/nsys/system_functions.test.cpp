#include "readers/nsys/host_records.h"

#include "tests/catch.h"

namespace lapscope::analyzer::nsys {
namespace {

TEST_CASE("what a thread waits for is told by the function that it is in") {
  struct Case {
    const char* function;
    ThreadState state;
  };
  for (const Case& one : {Case{"pthread_mutex_lock", ThreadState::lock},
                          {"pthread_cond_timedwait", ThreadState::lock},
                          {"pthread_join", ThreadState::lock},
                          {"sem_wait", ThreadState::lock},
                          {"read", ThreadState::reading},
                          {"fread", ThreadState::reading},
                          {"pwrite64", ThreadState::reading},
                          {"fwrite", ThreadState::reading},
                          {"putc", ThreadState::reading},
                          {"fputs", ThreadState::reading},
                          {"open64", ThreadState::reading},
                          {"poll", ThreadState::polling},
                          {"epoll_wait", ThreadState::polling},
                          {"nanosleep", ThreadState::sleeping},
                          {"usleep", ThreadState::sleeping},
                          {"waitpid", ThreadState::child},
                          {"ioctl", ThreadState::driver},
                          {"mmap", ThreadState::other},
                          {"pthread_create", ThreadState::other},
                          {"fork", ThreadState::other}}) {
    CAPTURE(one.function);
    CHECK(state_in(one.function) == one.state);
  }
}

}  // namespace
}  // namespace lapscope::analyzer::nsys
