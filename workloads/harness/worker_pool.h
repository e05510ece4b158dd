#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lapscope::workloads {

// Threads that are started before the measured region and take tasks in it, in order.
class WorkerPool {
 public:
  explicit WorkerPool(int threads);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool();

  int size() const { return static_cast<int>(threads_.size()); }

  // May be called from any thread, a CUDA host function included.
  void submit(std::function<void()> task);

  // Until all tasks are done. Rethrows the first exception that left a task.
  void wait();

  // Runs `task(worker)` once on every thread, all at the same time, and waits.
  void on_each(const std::function<void(int)>& task);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::deque<std::function<void()>> tasks_;
  int running_ = 0;
  bool closing_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace lapscope::workloads
