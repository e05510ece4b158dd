#include "collector/inject/buffer_pool.h"

#include <signal.h>
#include <sys/time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <set>
#include <thread>

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::inject {
namespace {

bool is_zero(const std::uint8_t* buffer) {
  return std::all_of(buffer, buffer + BufferPool::buffer_size,
                     [](std::uint8_t byte) { return byte == 0; });
}

TEST_CASE("buffers are zeroed and aligned and of full size", "[inject]") {
  BufferPool pool;
  for (std::size_t i = 0; i < BufferPool::prepared + 2; ++i) {
    std::uint8_t* buffer = pool.acquire(true);
    REQUIRE(buffer);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer) % 8 == 0);
    CHECK(is_zero(buffer));
    std::memset(buffer, 0xFF, BufferPool::buffer_size);
  }
}

TEST_CASE("a buffer that was given back is zeroed and used again", "[inject]") {
  BufferPool pool;
  std::set<std::uint8_t*> all;
  for (std::size_t i = 0; i < BufferPool::prepared; ++i) all.insert(pool.acquire(true));
  CHECK(all.size() == BufferPool::prepared);
  std::uint8_t* buffer = *all.begin();
  std::memset(buffer, 0xFF, BufferPool::buffer_size);
  pool.release(buffer);
  CHECK(pool.acquire(true) == buffer);
  CHECK(is_zero(buffer));
}

// A signal handler may call exit(), during which the writer's thread uses the pool.
TEST_CASE("no signal handler runs in a thread that has locked the pool", "[inject]") {
  static BufferPool* pool = nullptr;
  test::Child child([] {
    pool = new BufferPool;
    ::signal(SIGALRM, [](int) { pool->is_out(nullptr); });
    const itimerval often{{0, 50}, {0, 50}};
    ::setitimer(ITIMER_REAL, &often, nullptr);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    while (std::chrono::steady_clock::now() < end) {
      for (std::size_t i = 0; i < BufferPool::most; ++i) pool->acquire(true);
      for (int i = 0; i < 100; ++i) pool->is_out(nullptr);
    }
    return 0;
  });
  const auto finished = child.wait(std::chrono::seconds(10));
  CHECK_FALSE(finished.timed_out);
  CHECK(finished.exit_status == 0);
}

TEST_CASE("a bounded request is refused when all buffers are out", "[inject]") {
  BufferPool pool;
  std::set<std::uint8_t*> all;
  for (std::size_t i = 0; i < BufferPool::most; ++i) all.insert(pool.acquire(true));
  CHECK(all.size() == BufferPool::most);
  CHECK_FALSE(all.contains(nullptr));
  CHECK(pool.acquire(true) == nullptr);
  SECTION("but not one that may not be refused") { CHECK(pool.acquire(false) != nullptr); }
  SECTION("and granted again once one is back") {
    pool.release(*all.begin());
    CHECK(pool.acquire(true) == *all.begin());
    CHECK(pool.acquire(true) == nullptr);
  }
}

TEST_CASE("a pool knows which buffers are out", "[inject]") {
  BufferPool pool;
  CHECK_FALSE(pool.ever_used());
  std::uint8_t* buffer = pool.acquire(true);
  CHECK(pool.ever_used());
  CHECK(pool.is_out(buffer));
  CHECK(pool.out() == 1);
  pool.release(buffer);
  CHECK_FALSE(pool.is_out(buffer));
  CHECK(pool.out() == 0);
  std::uint8_t foreign = 0;
  CHECK_FALSE(pool.is_out(&foreign));
}

TEST_CASE("threads never share a buffer", "[inject]") {
  BufferPool pool;
  std::atomic<int> wrong{0};
  const auto use = [&pool, &wrong](std::uint8_t mark) {
    for (int round = 0; round < 20; ++round) {
      std::uint8_t* buffer = pool.acquire(true);
      if (!buffer || !is_zero(buffer)) ++wrong;
      if (!buffer) continue;
      std::memset(buffer, mark, BufferPool::buffer_size);
      std::this_thread::yield();
      wrong += std::any_of(buffer, buffer + BufferPool::buffer_size,
                           [mark](std::uint8_t byte) { return byte != mark; });
      pool.release(buffer);
    }
  };
  std::vector<std::thread> threads;
  for (std::uint8_t mark = 1; mark <= 4; ++mark) threads.emplace_back(use, mark);
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace lapscope::inject
