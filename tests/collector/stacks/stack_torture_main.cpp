#include <unwind.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>
#include <vector>

#include "collector/stacks/call_stacks.h"
#include "tests/collector/stacks/shapes.h"

// Usage: stack_torture LIBRARY OTHER_LIBRARY. 16 threads load the libraries and capture stacks in
// them, while two threads load and unload the libraries. Exits with 1 if a stack is lost or
// incomplete, or if the offset of a frame is wrong.
//
// Usage: stack_torture --cost LIBRARY. Prints the times of a walk and of libgcc's walk.
namespace {

using lapscope::stacks::CallStacks;
using lapscope::test::Shapes;

constexpr int capturing_threads = 16;
constexpr int captures = 60;

bool is_in_file(const CallStacks& stacks, const lapscope::stacks::Frame& frame) {
  if (frame.module == 0) return false;
  const auto& module = stacks.modules().module(frame.module);
  if (!stacks.modules().path(module).empty()) return true;  // the module is a library
  std::ifstream file("/proc/self/exe", std::ios::binary);
  file.seekg(static_cast<std::streamoff>(frame.address - module.begin + module.file_offset));
  std::array<char, 8> bytes{};
  file.read(bytes.data(), bytes.size());
  return module.build_id_size == 20 &&
         std::memcmp(bytes.data(), reinterpret_cast<const void*>(frame.address), bytes.size()) == 0;
}

int torture(const char* library, const char* other) {
  CallStacks stacks;
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  for (const char* path : {library, other}) {
    threads.emplace_back([&done, path] {
      while (!done) const Shapes shapes(path);
    });
  }
  std::vector<std::thread> capturing;
  for (std::uint32_t thread = 0; thread < capturing_threads; ++thread) {
    capturing.emplace_back([&, thread] {
      for (std::uint32_t i = 0; i < captures; ++i) {
        const Shapes shapes(i % 2 == 0 ? library : other);
        const std::uint32_t correlation = 1 + thread * captures + i;
        const int shape = static_cast<int>(i) % lapscope::test::shape_count;
        shapes.call(shape, [&] { stacks.capture(correlation); });
      }
    });
  }
  for (std::thread& thread : capturing) thread.join();
  done = true;
  for (std::thread& thread : threads) thread.join();
  int wrong = 0;
  for (std::uint32_t i = 0; i < capturing_threads * captures; ++i) {
    const CallStacks::Stack stack = stacks.take(1 + i);
    if (!stack.is_whole) {
      ++wrong;
      continue;
    }
    if (i > 0) continue;
    for (const auto& frame : stacks.chains().chain(stack.chain)) {
      if (!is_in_file(stacks, frame)) ++wrong;
    }
  }
  if (wrong > 0) std::fprintf(stderr, "%d stacks or frames are wrong\n", wrong);
  return wrong > 0 ? 1 : 0;
}

template <class Function>
double ns_of(int times, Function function) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) function();
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  return took.count() / times;
}

int cost(const char* library) {
  constexpr int times = 20'000;
  const Shapes shapes(library);
  std::printf("%-8s %8s %12s %12s %12s\n", "shape", "frames", "first ns", "capture ns",
              "libgcc ns");
  for (int shape = 0; shape < lapscope::test::shape_count; ++shape) {
    CallStacks stacks;
    shapes.call(shape, [&] {
      const double first = ns_of(1, [&] { stacks.capture(1); });
      const std::size_t frames = stacks.chains().chain(stacks.take(1).chain).size();
      const double own = ns_of(times, [&] { stacks.capture(1); });
      const double libgcc = ns_of(times, [] {
        int count = 0;
        ::_Unwind_Backtrace(
            [](_Unwind_Context*, void* number) {
              ++*static_cast<int*>(number);
              return _URC_NO_REASON;
            },
            &count);
      });
      std::printf("%-8d %8zu %12.0f %12.0f %12.0f\n", shape, frames, first, own, libgcc);
    });
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3 && std::strcmp(arguments[1], "--cost") == 0) return cost(arguments[2]);
  if (count == 3) return torture(arguments[1], arguments[2]);
  std::fputs("usage: stack_torture LIBRARY OTHER_LIBRARY, or stack_torture --cost LIBRARY\n",
             stderr);
  return 2;
}
