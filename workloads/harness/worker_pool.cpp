#include "workloads/harness/worker_pool.h"

#include <chrono>
#include <utility>

namespace lapscope::workloads {
namespace {

constexpr std::chrono::milliseconds patience(5);

// Polls until `done` returns true or patience is over.
template <typename Done>
void look_for(Done done) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!done() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

}  // namespace

WorkerPool::WorkerPool(int threads) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::submit(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    ++unfinished_;
    ++waiting_;
  }
  wake_.notify_one();
}

void WorkerPool::wait() {
  look_for([this] { return is_idle(); });
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return is_idle(); });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void WorkerPool::on_each(const std::function<void(int)>& task) {
  // Each task waits until every thread has taken a task. No thread therefore takes two.
  std::atomic<int> missing = size();
  for (int i = 0; i < size(); ++i) {
    submit([&missing, &task, i] {
      --missing;
      while (missing > 0) std::this_thread::yield();
      task(i);
    });
  }
  wait();
}

void WorkerPool::wake() {
  on_each([](int) {});
}

void WorkerPool::work() {
  while (true) {
    look_for([this] { return waiting_ > 0 || closing_; });
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    --waiting_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      task();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !failure_) failure_ = failure;
    if (--unfinished_ == 0) idle_.notify_all();
  }
}

}  // namespace lapscope::workloads
