#include "workloads/harness/worker_pool.h"

#include <atomic>
#include <set>
#include <stdexcept>

#include "tests/catch.h"

namespace lapscope::workloads {
namespace {

TEST_CASE("wait returns when all tasks are done", "[workloads]") {
  WorkerPool pool(3);
  std::atomic<int> done = 0;
  for (int i = 0; i < 100; ++i) pool.submit([&] { ++done; });
  pool.wait();
  REQUIRE(done == 100);
  pool.wait();  // Without work, it returns at once.
}

TEST_CASE("on_each runs on as many threads as there are, each with a number of its own",
          "[workloads]") {
  WorkerPool pool(4);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::set<int> numbers;
  pool.on_each([&](int worker) {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
    numbers.insert(worker);
  });
  REQUIRE(threads.size() == 4);
  REQUIRE(numbers == std::set<int>{0, 1, 2, 3});
}

TEST_CASE("an exception of a task leaves wait, once, and the pool goes on", "[workloads]") {
  WorkerPool pool(2);
  pool.submit([] { throw std::runtime_error("broken"); });
  REQUIRE_THROWS_AS(pool.wait(), std::runtime_error);
  std::atomic<bool> ran = false;
  pool.submit([&] { ran = true; });
  pool.wait();
  REQUIRE(ran);
}

}  // namespace
}  // namespace lapscope::workloads
