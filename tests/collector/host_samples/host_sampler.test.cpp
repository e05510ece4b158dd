#include "collector/host_samples/host_sampler.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/catch.h"

namespace lapscope::host_samples {
namespace {

using namespace std::chrono_literals;
using callbacks::HostSample;
using callbacks::ThreadState;

struct Sampled {
  process::WatchedThreads threads;
  callbacks::EventQueue events;

  // Returns the samples of each thread while `work` ran.
  template <class Work>
  std::map<std::uint32_t, std::vector<HostSample>> during(const Work& work) {
    HostSampler sampler(threads, events, nullptr, 2ms, false);
    sampler.start();
    work();
    sampler.stop(1s);
    counts = sampler.counts();
    std::map<std::uint32_t, std::vector<HostSample>> by_thread;
    for (const callbacks::Event& event : events.take()) {
      const auto& sample = std::get<HostSample>(event);
      by_thread[sample.thread].push_back(sample);
    }
    return by_thread;
  }
  HostSampler::Counts counts;
};

std::uint32_t own_id() { return static_cast<std::uint32_t>(::gettid()); }

double share_of(const std::vector<HostSample>& samples, ThreadState state) {
  const auto count = std::count_if(samples.begin(), samples.end(),
                                   [state](const HostSample& one) { return one.state == state; });
  return static_cast<double>(count) / static_cast<double>(samples.size());
}

TEST_CASE("threads that have not called CUDA are not looked at", "[host-samples]") {
  Sampled sampled;
  CHECK(sampled.during([] { std::this_thread::sleep_for(20ms); }).empty());
  CHECK(sampled.counts.taken == 0);
}

TEST_CASE("a thread is seen to sleep and to run", "[host-samples]") {
  Sampled sampled;
  sampled.threads.add_this();
  const auto asleep = sampled.during([] { std::this_thread::sleep_for(200ms); });
  REQUIRE(asleep.count(own_id()) == 1);
  CHECK(share_of(asleep.at(own_id()), ThreadState::sleeping) > 0.8);
  const auto awake = sampled.during([] {
    const auto end = std::chrono::steady_clock::now() + 200ms;
    while (std::chrono::steady_clock::now() < end) {
    }
  });
  CHECK(share_of(awake.at(own_id()), ThreadState::running) > 0.8);
  CHECK(sampled.counts.without_stack == sampled.counts.taken);
}

TEST_CASE("who waits for a mutex is seen with the thread that holds it", "[host-samples]") {
  Sampled sampled;
  std::mutex mutex;
  mutex.lock();
  std::atomic<std::uint32_t> waiter{0};
  std::thread thread([&] {
    sampled.threads.add_this();
    waiter = own_id();
    const std::lock_guard lock(mutex);
  });
  while (waiter == 0) std::this_thread::yield();
  const auto seen = sampled.during([] { std::this_thread::sleep_for(100ms); });
  mutex.unlock();
  thread.join();
  const std::vector<HostSample>& samples = seen.at(waiter);
  CHECK(share_of(samples, ThreadState::lock) > 0.8);
  CHECK(std::count_if(samples.begin(), samples.end(),
                      [](const HostSample& one) { return one.holder == own_id(); }) > 0);
}

TEST_CASE("a thread that has ended makes room", "[host-samples]") {
  Sampled sampled;
  for (int i = 0; i < 3; ++i) {
    std::thread([&] { sampled.threads.add_this(); }).join();
    CHECK(sampled.during([] { std::this_thread::sleep_for(20ms); }).empty());
  }
  CHECK(sampled.threads.used() == 1);
}

TEST_CASE("files of the sampler have no numbers that the program may get", "[host-samples]") {
  Sampled sampled;
  const int next = ::dup(STDERR_FILENO);
  ::close(next);
  int file = -1;
  std::thread([&] {
    sampled.threads.add_this();
    sampled.during([&] {
      std::this_thread::sleep_for(50ms);
      file = ::dup(STDERR_FILENO);
    });
  }).join();
  ::close(file);
  CHECK(file == next);
  CHECK(sampled.counts.taken > 0);
}

TEST_CASE("looks take no more of a processor than they may", "[host-samples]") {
  Sampled sampled;
  std::atomic<bool> ends{false};
  std::atomic<int> begun{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 32; ++i) {
    threads.emplace_back([&] {
      sampled.threads.add_this();
      ++begun;
      while (!ends) std::this_thread::sleep_for(1ms);
    });
  }
  while (begun < 32) std::this_thread::yield();
  const auto begin = std::chrono::steady_clock::now();
  sampled.during([] { std::this_thread::sleep_for(1s); });
  const std::chrono::nanoseconds lasted = std::chrono::steady_clock::now() - begin;
  ends = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(sampled.counts.taken >= 32);
  // The first sample may cost more than this limit. The sampler compensates for it only later.
  CHECK(static_cast<double>(sampled.counts.cpu) <
        2 * HostSampler::most_of_processor * static_cast<double>(lasted.count()) + 10e6);
}

}  // namespace
}  // namespace lapscope::host_samples
