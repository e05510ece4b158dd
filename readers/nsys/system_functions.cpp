#include "readers/nsys/host_records.h"

#include "analyzer/model/name_pattern.h"

namespace lapscope::analyzer::nsys {
namespace {

struct NamedState {
  std::string_view functions;  // * matches any characters
  ThreadState state;
};

// The collector assigns the same states to system calls.
constexpr NamedState states[] = {
    {"pthread_mutex_*", ThreadState::lock},
    {"pthread_rwlock_*", ThreadState::lock},
    {"pthread_spin_*", ThreadState::lock},
    {"pthread_cond_*wait", ThreadState::lock},
    {"pthread_barrier_wait", ThreadState::lock},
    {"pthread_*join*", ThreadState::lock},
    {"sem_*wait", ThreadState::lock},
    {"flock*", ThreadState::lock},
    {"lockf*", ThreadState::lock},
    {"poll", ThreadState::polling},
    {"ppoll", ThreadState::polling},
    {"select", ThreadState::polling},
    {"pselect", ThreadState::polling},
    {"epoll_*wait", ThreadState::polling},
    {"accept*", ThreadState::polling},
    {"sleep", ThreadState::sleeping},
    {"usleep", ThreadState::sleeping},
    {"*nanosleep", ThreadState::sleeping},
    {"wait", ThreadState::child},
    {"wait3", ThreadState::child},
    {"wait4", ThreadState::child},
    {"waitpid", ThreadState::child},
    {"waitid", ThreadState::child},
    {"pclose", ThreadState::child},
    {"system", ThreadState::child},
    {"ioctl", ThreadState::driver},
    {"sched_yield", ThreadState::running},
    {"*read", ThreadState::reading},
    {"*readv", ThreadState::reading},
    {"pread*", ThreadState::reading},
    {"fread*", ThreadState::reading},
    {"*write", ThreadState::reading},
    {"*writev", ThreadState::reading},
    {"pwrite*", ThreadState::reading},
    {"fwrite*", ThreadState::reading},
    {"*getc*", ThreadState::reading},
    {"*putc*", ThreadState::reading},
    {"*gets*", ThreadState::reading},
    {"*puts*", ThreadState::reading},
    {"getline", ThreadState::reading},
    {"*printf", ThreadState::reading},
    {"*scanf", ThreadState::reading},
    {"fflush*", ThreadState::reading},
    {"fsync", ThreadState::reading},
    {"fdatasync", ThreadState::reading},
    {"open*", ThreadState::reading},
    {"fopen*", ThreadState::reading},
    {"fclose", ThreadState::reading},
    {"recv*", ThreadState::reading},
    {"send*", ThreadState::reading},
};

}  // namespace

ThreadState state_in(std::string_view function) {
  for (const NamedState& one : states) {
    if (fits_pattern(function, one.functions)) return one.state;
  }
  return ThreadState::other;
}

}  // namespace lapscope::analyzer::nsys
