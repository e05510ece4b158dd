// thread_pairs NAME broken|fixed [REPEATS]: small programs with threads that wait for each other.

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/gpu/programs/planted.cuh"

namespace {

using namespace planted;

struct Worker {
  cudaStream_t stream = new_stream();
  float* values = new_values(4 * mib);
  float* in = pinned();
  float* out = pinned();

  static float* pinned() {
    float* memory = nullptr;
    check(cudaMallocHost(&memory, 4 * mib));
    std::fill_n(memory, 4 * mib / sizeof(float), 0.0F);
    return memory;
  }
};

using Workers = std::shared_ptr<std::vector<Worker>>;
Workers workers(std::size_t count) { return std::make_shared<std::vector<Worker>>(count); }

// What the host does by itself.
void work_for(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

// Three threads take jobs from a list with a lock. Broken: a thread holds the lock until its job is
// copied in, computed and copied out. Fixed: a thread holds the lock only while it takes the job.
Round lock_in_a_pool(bool broken) {
  const Workers pool = workers(3);
  const auto lock = std::make_shared<std::mutex>();
  return [=] {
    int left = 24;
    std::vector<std::thread> threads;
    for (const Worker& worker : *pool) {
      threads.emplace_back([&left, &worker, lock, broken] {
        while (true) {
          std::unique_lock<std::mutex> held(*lock);
          if (left == 0) return;
          --left;
          if (!broken) held.unlock();
          check(cudaMemcpyAsync(worker.values, worker.in, 4 * mib, cudaMemcpyHostToDevice,
                                worker.stream));
          simulate_in(worker.stream, worker.values);
          check(cudaMemcpyAsync(worker.out, worker.values, 4 * mib, cudaMemcpyDeviceToHost,
                                worker.stream));
          check(cudaStreamSynchronize(worker.stream));
          if (held.owns_lock()) held.unlock();
          std::this_thread::yield();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  };
}

// Two threads prepare items, and run two kernels for each item. Broken: a thread holds a lock while
// its kernels run, so the other thread cannot launch. Fixed: no lock. Each thread launches as soon
// as its item is ready.
Round lock_of_one_queue(bool broken) {
  const Workers pair = workers(2);
  const auto lock = std::make_shared<std::mutex>();
  return [=] {
    std::vector<std::thread> threads;
    for (const Worker& worker : *pair) {
      threads.emplace_back([&worker, lock, broken] {
        for (int item = 0; item < 12; ++item) {
          work_for(std::chrono::microseconds(60));
          std::unique_lock<std::mutex> held(*lock, std::defer_lock);
          if (broken) held.lock();
          simulate_in(worker.stream, worker.values);
          simulate_in(worker.stream, worker.values);
          check(cudaStreamSynchronize(worker.stream));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  };
}

// The first thread launches. The second thread waits for results and hands them to the first, as in
// asynchronous frameworks. Broken: the first thread waits for each result. Fixed: it waits only for
// the last result.
Round results_by_a_thread(bool broken) {
  struct Reader {
    std::mutex lock;
    std::condition_variable changed;
    std::deque<cudaEvent_t> asked;
    std::size_t given = 0;
    bool ends = false;
  };
  constexpr std::size_t steps = 24;
  const Workers one = workers(1);
  std::vector<cudaEvent_t> events(steps);
  for (cudaEvent_t& event : events) {
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  const auto reader = std::make_shared<Reader>();
  const auto read = [reader] {
    std::unique_lock<std::mutex> held(reader->lock);
    while (true) {
      reader->changed.wait(held, [&] { return !reader->asked.empty() || reader->ends; });
      if (reader->asked.empty()) return;
      const cudaEvent_t event = reader->asked.front();
      reader->asked.pop_front();
      held.unlock();
      check(cudaEventSynchronize(event));
      held.lock();
      ++reader->given;
      reader->changed.notify_all();
    }
  };
  return [=] {
    const Worker& worker = one->front();
    reader->given = 0;
    reader->ends = false;
    std::thread thread(read);
    for (std::size_t step = 0; step < steps; ++step) {
      work_for(std::chrono::microseconds(80));
      simulate_in(worker.stream, worker.values);
      check(cudaMemcpyAsync(worker.out, worker.values, 64, cudaMemcpyDeviceToHost, worker.stream));
      check(cudaEventRecord(events[step], worker.stream));
      std::unique_lock<std::mutex> held(reader->lock);
      reader->asked.push_back(events[step]);
      reader->changed.notify_all();
      if (broken) reader->changed.wait(held, [&] { return reader->given == step + 1; });
    }
    {
      std::unique_lock<std::mutex> held(reader->lock);
      reader->changed.wait(held, [&] { return reader->given == steps; });
      reader->ends = true;
      reader->changed.notify_all();
    }
    thread.join();
  };
}

const Programs programs = {{"lock-in-a-pool", lock_in_a_pool},
                           {"lock-of-one-queue", lock_of_one_queue},
                           {"results-by-a-thread", results_by_a_thread}};

}  // namespace

int main(int argc, char** argv) { return run(programs, argc, argv); }
