#include "workloads/harness/watchdog.h"

#include <cstdlib>
#include <iostream>
#include <utility>

#include "workloads/harness/guard.h"

namespace lapscope::workloads {

Watchdog::Watchdog(std::chrono::seconds limit, std::string sentence)
    : limit_(limit),
      sentence_(std::move(sentence)),
      deadline_(std::chrono::steady_clock::now() + limit),
      thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Watchdog::kick() {
  const std::lock_guard lock(mutex_);
  deadline_ = std::chrono::steady_clock::now() + limit_;
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (std::chrono::steady_clock::now() >= deadline_) {
      std::cerr << sentence_ << " within " << limit_.count() << " s.\n";
      // Not exit: destructors would wait for the device.
      std::_Exit(exit_failed);
    }
    changed_.wait_until(lock, deadline_);
  }
}

}  // namespace lapscope::workloads
