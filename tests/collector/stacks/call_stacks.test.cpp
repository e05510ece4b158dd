#include "collector/stacks/call_stacks.h"

#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/catch.h"
#include "tests/collector/stacks/shapes.h"
#include "tests/collector/support/child.h"
#include "tests/collector/support/heap.h"

namespace lapscope::stacks {
namespace {

std::atomic<CallStacks*> in_constructor{nullptr};

// Returns whether a stack has frames in the module with this path.
bool has_module(const CallStacks& stacks, std::uint32_t chain, const std::string& path) {
  for (const Frame& frame : stacks.chains().chain(chain)) {
    if (frame.module == 0) continue;
    if (stacks.modules().path(stacks.modules().module(frame.module)) == path) return true;
  }
  return false;
}

TEST_CASE("the stack of a call is taken once, by its correlation id", "[stacks]") {
  CallStacks stacks;
  for (std::uint32_t correlation = 1; correlation <= 3; ++correlation) stacks.capture(correlation);
  const auto first = stacks.take(1);
  const auto second = stacks.take(2);
  CHECK(first.chain != 0);
  CHECK(first.is_whole);
  CHECK(second.chain == first.chain);  // both have the same line
  CHECK(first.ns > 0);
  CHECK(stacks.take(1).chain == 0);
  CHECK(stacks.take(4).chain == 0);
  CHECK(stacks.take(0).chain == 0);
  CHECK(stacks.counts().captured == 3);
  CHECK(stacks.counts().lost == 0);
  CHECK(stacks.counts().not_unwound == 0);
}

TEST_CASE("frames in front that nobody wants are left out", "[stacks]") {
  const test::Shapes shapes(LAPSCOPE_SHAPES);
  CallStacks stacks;
  stacks.skip_frames_of(reinterpret_cast<std::uintptr_t>(&has_module));
  shapes.call(0, [&] { stacks.capture(1); });
  const auto chain = stacks.chains().chain(stacks.take(1).chain);
  REQUIRE_FALSE(chain.empty());
  CHECK(stacks.modules().path(stacks.modules().module(chain[0].module)) == LAPSCOPE_SHAPES);
  // Only frames before the first frame of another module are skipped. chain[2] is in the program
  // again.
  CHECK(stacks.modules().path(stacks.modules().module(chain[2].module)).empty());
}

TEST_CASE("a stack of nothing else is counted as not unwound", "[stacks]") {
  CallStacks stacks;
  stacks.skip_frames_of(reinterpret_cast<std::uintptr_t>(&has_module));
  std::atomic<bool> done = false;
  // libc starts threads, so its frames are skipped, too.
  stacks.skip_frames_of(reinterpret_cast<std::uintptr_t>(&::malloc));
  std::thread([&] {
    stacks.capture(1);
    done = true;
  }).join();
  const auto counts = stacks.counts();
  CHECK(counts.captured + counts.not_unwound == 1);
}

[[gnu::noinline]] int capture_at_depth(CallStacks& stacks, int depth) {
  if (depth == 0) {
    stacks.capture(1);
    return 0;
  }
  return capture_at_depth(stacks, depth - 1) + 1;
}

TEST_CASE("a deep stack has its innermost frames", "[stacks]") {
  CallStacks stacks;
  capture_at_depth(stacks, 200);
  const auto stack = stacks.take(1);
  CHECK(stacks.chains().chain(stack.chain).size() == CallStacks::most_frames);
  CHECK_FALSE(stack.is_whole);
}

TEST_CASE("a library's constructor can be on the stack", "[stacks]") {
  CallStacks stacks;
  in_constructor = &stacks;
  const test::Shapes shapes(LAPSCOPE_SHAPES);
  in_constructor = nullptr;
  REQUIRE(shapes.is_loaded());
  const auto own = stacks.take(1);
  const auto of_thread = stacks.take(2);
  CHECK(own.is_whole);
  CHECK(has_module(stacks, own.chain, LAPSCOPE_SHAPES));
  CHECK(of_thread.is_whole);
}

TEST_CASE("nobody waits for the loader's lock", "[stacks]") {
  CallStacks stacks;
  ::dl_iterate_phdr(
      [](dl_phdr_info*, std::size_t, void* argument) {
        std::thread([argument] { static_cast<CallStacks*>(argument)->capture(1); }).join();
        return 1;
      },
      &stacks);
  CHECK(stacks.take(1).is_whole);
}

TEST_CASE("nothing is allocated", "[stacks]") {
  CallStacks stacks;
  const test::Shapes shapes(LAPSCOPE_SHAPES);
  const auto before = test::heap_in_use();
  shapes.call(1, [&] { stacks.capture(1); });
  shapes.call(1, [&] { stacks.sample(2, 1); });
  const auto after = test::heap_in_use();
  CHECK(after == before);
  CHECK(stacks.take(1).chain != 0);
}

CallStacks* in_handler = nullptr;

TEST_CASE("a walk ends where a signal was handled", "[stacks]") {
  CallStacks stacks;
  in_handler = &stacks;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { in_handler->capture(1); };
  REQUIRE(::sigaction(SIGUSR1, &action, &before) == 0);
  ::raise(SIGUSR1);
  ::sigaction(SIGUSR1, &before, nullptr);
  const auto stack = stacks.take(1);
  CHECK(stack.chain != 0);
  CHECK_FALSE(stack.is_whole);
}

sigjmp_buf out_of_handler;

TEST_CASE("a handler that leaves by longjmp costs no later stack", "[stacks]") {
  CallStacks stacks;
  CHECK(CallStacks::are_supported());
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { siglongjmp(out_of_handler, 1); };
  REQUIRE(::sigaction(SIGALRM, &action, &before) == 0);
  volatile int jumps = 0;
  while (jumps < 200) {
    if (sigsetjmp(out_of_handler, 1) != 0) {
      jumps = jumps + 1;
      continue;
    }
    const itimerval soon{{0, 0}, {0, 50}};
    ::setitimer(ITIMER_REAL, &soon, nullptr);
    for (;;) stacks.capture(7);
  }
  ::sigaction(SIGALRM, &before, nullptr);
  const auto lost = stacks.counts().lost;
  for (std::uint32_t call = 1; call <= 100; ++call) {
    stacks.capture(call);
    CHECK(stacks.take(call).chain != 0);
  }
  CHECK(stacks.counts().lost == lost);
}

// Makes Linux refuse to read memory of other processes, like filters of some containers.
bool refuse_to_read_processes() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{std::size(filter), filter};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST_CASE("where memory may not be read there are no stacks", "[stacks]") {
  test::Child child([] {
    if (!refuse_to_read_processes()) return 77;
    CallStacks stacks;
    stacks.skip_frames_of(reinterpret_cast<std::uintptr_t>(&has_module));
    for (std::uint32_t correlation = 1; correlation <= 10; ++correlation) {
      stacks.capture(correlation);
    }
    const auto counts = stacks.counts();
    return counts.not_unwound == 10 && counts.captured == 0 ? 0 : 1;
  });
  const int status = child.wait().exit_status;
  if (status == 77) test::skip_because("the kernel has no seccomp filters");
  CHECK(status == 0);
}

TEST_CASE("the program's errno stays as it was", "[stacks]") {
  CallStacks stacks;
  errno = ENOTTY;
  stacks.capture(1);
  CHECK(errno == ENOTTY);
}

TEST_CASE("threads that outlive the first one have stacks", "[stacks]") {
  test::Child child([] {
    std::thread([] {
      while (::syscall(SYS_tgkill, ::getpid(), ::getpid(), 0) == 0) {
        std::ifstream state("/proc/self/stat");
        std::string text;
        std::getline(state, text);
        if (text.find(") Z ") != std::string::npos) break;
      }
      CallStacks stacks;
      stacks.capture(1);
      ::_exit(stacks.take(1).is_whole ? 0 : 1);
    }).detach();
    ::syscall(SYS_exit, 0);  // ends only this thread
    return 1;
  });
  const auto finished = child.wait();
  CHECK_FALSE(finished.timed_out);
  CHECK(finished.exit_status == 0);
}

TEST_CASE("the modules of a library that was unloaded stay its own", "[stacks]") {
  CallStacks stacks;
  std::uint32_t correlation = 0;
  std::vector<std::pair<std::uint32_t, std::string>> chains;
  for (int round = 0; round < 5; ++round) {
    for (const std::string path : {LAPSCOPE_SHAPES, LAPSCOPE_OTHER_SHAPES}) {
      const test::Shapes shapes(path);
      shapes.call(round, [&] { stacks.capture(++correlation); });
      chains.emplace_back(stacks.take(correlation).chain, path);
    }
  }
  for (const auto& [chain, path] : chains) {
    REQUIRE(chain != 0);
    CHECK(has_module(stacks, chain, path));
  }
}

TEST_CASE("threads capture while others load and unload libraries", "[stacks]") {
  for (int time = 0; time < 20; ++time) {
    const auto run = test::run({LAPSCOPE_STACK_TORTURE, LAPSCOPE_SHAPES, LAPSCOPE_OTHER_SHAPES});
    INFO(run.err);
    CHECK(run.exit_status == 0);
    CHECK_FALSE(run.timed_out);
  }
}

}  // namespace

// The constructor of a library calls this function.
extern "C" __attribute__((visibility("default"))) void lapscope_in_constructor_of_shapes();
void lapscope_in_constructor_of_shapes() {
  CallStacks* stacks = in_constructor;
  if (!stacks) return;
  stacks->capture(1);
  std::thread([stacks] { stacks->capture(2); }).join();
}

}  // namespace lapscope::stacks
