#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lapscope::workloads {

// Threads that are started before the measured region. They take tasks in the order of `submit`. An
// idle thread polls for some milliseconds before it sleeps, because waking it can take longer than
// a measured task.
class WorkerPool {
 public:
  explicit WorkerPool(int threads);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool();

  int size() const { return static_cast<int>(threads_.size()); }

  // Adds a task. Any thread may call this, even a CUDA host function.
  void submit(std::function<void()> task);

  // Waits until all tasks are done. Rethrows the first exception that a task threw.
  void wait();

  // Runs `task(worker)` once on every thread at the same time. Waits until all have ended.
  void on_each(const std::function<void(int)>& task);

  // Wakes all threads, so that the next tasks start at once. Call this before the measured region.
  void wake();

 private:
  void work();
  bool is_idle() const { return unfinished_ == 0; }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::deque<std::function<void()>> tasks_;
  std::atomic<int> waiting_ = 0;     // Tasks that no thread has taken.
  std::atomic<int> unfinished_ = 0;  // Tasks that are waiting or running.
  std::atomic<bool> closing_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace lapscope::workloads
