#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace lapscope::workloads {

// Turns a hang into a failure: a kernel that waits forever cannot be called back, so the process
// ends with exit_failed and a sentence on stderr if nobody calls `kick` for `limit`.
class Watchdog {
 public:
  // `sentence` says what hangs and has no full stop: "the rung chained does not finish".
  Watchdog(std::chrono::seconds limit, std::string sentence);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  void kick();

 private:
  void watch();

  const std::chrono::seconds limit_;
  const std::string sentence_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::chrono::steady_clock::time_point deadline_;
  std::thread thread_;  // Last: it uses the others.
};

}  // namespace lapscope::workloads
