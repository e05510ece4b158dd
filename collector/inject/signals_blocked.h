#pragma once

#include <pthread.h>
#include <signal.h>

namespace lapscope::inject {

// Blocks all signals in the calling thread while it lives. They are the program's business: none
// may be handled in a thread that it does not know of, nor while the thread holds a lock of ours,
// since a handler may call exit().
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &original_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &original_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t original_;
};

}  // namespace lapscope::inject
