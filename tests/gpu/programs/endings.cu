// A CUDA program that ends in the way that its first argument names, for example after a fork or by
// a signal. Its output does not depend on the machine, so two runs can be compared.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

char* self = nullptr;
int launches = 1000;  // of a piece of work

__global__ void add_one(int* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += 1;
}

void check(cudaError_t result) {
  if (result == cudaSuccess) return;
  std::printf("CUDA: %s\n", cudaGetErrorString(result));
  std::exit(1);
}

// Launches kernels in a new stream. With `synchronize`, returns their result, otherwise -1.
long work(int kernels, bool synchronize = true) {
  constexpr int count = 1 << 16;
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int* values = nullptr;
  check(cudaMalloc(&values, count * sizeof(int)));
  check(cudaMemsetAsync(values, 0, count * sizeof(int), stream));
  for (int i = 0; i < kernels; ++i) add_one<<<count / 256, 256, 0, stream>>>(values, count);
  if (!synchronize) return -1;
  std::vector<int> host(count);
  check(cudaMemcpyAsync(host.data(), values, count * sizeof(int), cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  check(cudaFree(values));
  check(cudaStreamDestroy(stream));
  long sum = 0;
  for (const int value : host) sum += value;
  return sum;
}

void say_work(int kernels) {
  std::printf("%d launches: %ld\n", kernels, work(kernels));
  std::fflush(stdout);
}

void run_threads() {
  std::vector<std::thread> threads;
  std::vector<long> sums(8);
  for (long& sum : sums) threads.emplace_back([&sum] { sum = work(launches); });
  for (std::thread& thread : threads) thread.join();
  for (const long sum : sums) std::printf("%ld\n", sum);
}

void await(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  std::printf("child: %d\n", status);
}

void fork_without_exec() {
  std::fflush(stdout);
  for (int i = 0; i < 3; ++i) {
    const pid_t child = ::fork();
    if (child == 0) i == 0 ? std::exit(0) : i == 1 ? ::_exit(0) : std::quick_exit(0);
    await(child);
    say_work(launches / 10);
  }
}

void exec_itself(bool in_child) {
  std::fflush(stdout);
  const pid_t child = in_child ? ::fork() : 0;
  if (child == 0) {
    ::execl("/proc/self/exe", self, "plain", std::to_string(launches).c_str(), nullptr);
    ::_exit(99);
  }
  await(child);
}

void reset_and_go_on() {
  check(cudaDeviceReset());
  say_work(launches / 2);
  check(cudaDeviceReset());
}

// The pause is long enough for the collector to write the records of all earlier work.
void pause_briefly() { std::this_thread::sleep_for(std::chrono::milliseconds(700)); }

const std::map<std::string, std::function<void()>> endings = {
    {"plain", [] {}},
    {"threads", run_threads},
    {"no-synchronize", [] { work(launches, false); }},
    {"device-reset", reset_and_go_on},
    {"fork", fork_without_exec},
    {"child-exec", [] { exec_itself(true); }},
    {"exec", [] { exec_itself(false); }},
    {"exit-in-thread", [] { std::thread([] { std::exit(6); }).join(); }},
    {"_exit", [] { pause_briefly(), ::_exit(7); }},
    {"quick-exit", [] { std::quick_exit(8); }},
    {"abort", [] { pause_briefly(), std::abort(); }},
    {"segfault", [] { pause_briefly(), ::raise(SIGSEGV); }},
    {"sigterm", [] { pause_briefly(), ::raise(SIGTERM); }},
    {"sigkill", [] { pause_briefly(), ::raise(SIGKILL); }},
};

}  // namespace

int main(int argc, char** argv) {
  self = argv[0];
  const auto ending = endings.find(argc > 1 ? argv[1] : "");
  if (ending == endings.end()) {
    std::printf("usage: endings ENDING [LAUNCHES], ENDING being one of\n");
    for (const auto& [name, unused] : endings) std::printf("  %s\n", name.c_str());
    return 2;
  }
  if (argc > 2) launches = std::max(10, std::atoi(argv[2]));
  say_work(launches);
  ending->second();
  return 5;
}
