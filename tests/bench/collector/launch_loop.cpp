// Launches empty kernels as fast as possible or at a given rate, and prints the time of a launch. A
// tool costs more here than in any useful program.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/collector/cuda_calls.h"
#include "tests/bench/collector/launch_kernels.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string pattern = "empty";
  int threads = 1;
  std::int64_t launches = 200'000;  // of each thread; graph launches with --pattern graph
  double seconds = 0;               // overrides the number of launches
  double rate = 0;                  // largest number of launches per second and thread
  int nodes = 1000;
  std::string progress;
};

// The number of launches so far, in a mapped file: readable during the run, and after a kill.
struct Progress {
  static constexpr int most_threads = 64;
  std::atomic<std::int64_t> pid;
  std::atomic<std::int64_t> launches[most_threads];
};

std::size_t entries_of(const char* folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    static_cast<void>(entry);
    ++count;
  }
  return count;
}

Progress* map_progress(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || ::ftruncate(file, sizeof(Progress)) != 0) {
    throw std::runtime_error("cannot make '" + path + "'");
  }
  void* memory = ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (memory == MAP_FAILED) throw std::runtime_error("cannot map '" + path + "'");
  return new (memory) Progress{};
}

cudaGraphExec_t make_graph(int nodes) {
  const Stream stream;
  cudaGraph_t graph{};
  cudaGraphExec_t executable{};
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < nodes; ++i) launch_nothing(stream);
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&executable, graph, 0));
  check(cudaGraphDestroy(graph));
  return executable;
}

// Calls launch() as often, or for as long, as the options say. Returns the number of calls.
template <class Launch>
std::int64_t repeat(const Options& options, std::atomic<std::int64_t>* progress, Launch&& launch) {
  const auto begin = Clock::now();
  const auto end = begin + std::chrono::duration<double>(options.seconds);
  std::int64_t done = 0;
  for (;;) {
    if (options.seconds > 0 ? (done % 256 == 0 && Clock::now() >= end) : done >= options.launches) {
      return done;
    }
    launch();
    ++done;
    if (progress) progress->store(done, std::memory_order_relaxed);
    if (options.rate > 0 && done % 16 == 0) {
      std::this_thread::sleep_until(
          begin + std::chrono::duration<double>(static_cast<double>(done) / options.rate));
    }
  }
}

struct Outcome {
  std::int64_t launches = 0;
  double wall_s = 0;
};

// Starts the threads, each with its own stream. First launches are not timed, because they load
// code and request memory.
Outcome launch_in_threads(const Options& options, Progress* progress) {
  std::atomic<std::int64_t> launches{0};
  Clock::time_point begin;
  std::barrier ready(options.threads, [&begin]() noexcept { begin = Clock::now(); });
  std::vector<std::thread> threads;
  for (int thread = 0; thread < options.threads; ++thread) {
    threads.emplace_back([&, thread] {
      const Stream stream;
      const cudaGraphExec_t graph =
          options.pattern == "graph" ? make_graph(options.nodes) : nullptr;
      const auto launch = [&] {
        if (graph) {
          cudaGraphLaunch(graph, stream);
        } else {
          launch_nothing(stream);
        }
      };
      for (int i = 0; i < (graph ? 2 : 1000); ++i) launch();
      check(cudaStreamSynchronize(stream));
      ready.arrive_and_wait();
      launches += repeat(options, progress ? &progress->launches[thread] : nullptr, launch);
      check(cudaStreamSynchronize(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
  check(cudaGetLastError());
  return {launches, std::chrono::duration<double>(Clock::now() - begin).count()};
}

// Starts two threads, 24 times. A thread launches empty kernels and a long kernel, and ends after
// some ms. The long kernel starts later if a tool does extra work for each new thread.
Outcome start_short_threads() {
  constexpr int rounds = 24;
  constexpr int at_once = 2;
  constexpr int launches = 10;
  constexpr std::int64_t long_cycles = 6'000'000;
  const auto begin = Clock::now();
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < at_once; ++i) {
      threads.emplace_back([] {
        const Stream stream;
        for (int launch = 1; launch < launches; ++launch) launch_nothing(stream);
        launch_spin(long_cycles, stream);
        check(cudaStreamSynchronize(stream));
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  return {rounds * at_once * launches, std::chrono::duration<double>(Clock::now() - begin).count()};
}

int run(const Options& options) {
  check(cudaSetDevice(0));
  launch_nothing(nullptr);
  launch_spin(1, nullptr);
  check(cudaDeviceSynchronize());
  Progress* progress = options.progress.empty() ? nullptr : map_progress(options.progress);
  if (progress) progress->pid = ::getpid();

  const std::size_t descriptors = entries_of("/proc/self/fd");
  const std::size_t tasks = entries_of("/proc/self/task");
  const Outcome outcome =
      options.pattern == "churn" ? start_short_threads() : launch_in_threads(options, progress);
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total));
  const auto launches = static_cast<double>(outcome.launches);
  std::printf("launches: %lld\n", static_cast<long long>(outcome.launches));
  std::printf("wall_ms: %.3f\n", outcome.wall_s * 1e3);
  std::printf("ns_per_launch: %.1f\n", outcome.wall_s * 1e9 / launches);
  std::printf("launches_per_s: %.0f\n", launches / outcome.wall_s);
  std::printf("gpu_memory_mib: %.1f\n", static_cast<double>(total - free) / (1 << 20));
  std::printf("descriptors_more: %d\n",
              static_cast<int>(entries_of("/proc/self/fd")) - static_cast<int>(descriptors));
  std::printf("threads_more: %d\n",
              static_cast<int>(entries_of("/proc/self/task")) - static_cast<int>(tasks));
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::printf("last_line_utc_ns: %lld\n",
              static_cast<long long>(std::chrono::nanoseconds(now).count()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Launches kernels that do nothing and says what a launch took.");
  app.add_option("--pattern", options.pattern,
                 "empty: one by one; graph: as graphs; churn: by threads that live briefly")
      ->check(CLI::IsMember({"empty", "graph", "churn"}))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Launching threads")
      ->check(CLI::Range(1, Progress::most_threads))
      ->capture_default_str();
  app.add_option("--launches", options.launches, "Launches of each thread")->capture_default_str();
  app.add_option("--seconds", options.seconds, "Launch for so long instead");
  app.add_option("--rate", options.rate, "Launches of each thread in a second, at most");
  app.add_option("--nodes", options.nodes, "Kernels in a graph")->capture_default_str();
  app.add_option("--progress", options.progress,
                 "A file to be told in how many launches have returned, mapped");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "launch_loop: %s.\n", error.what());
    return 1;
  }
}
