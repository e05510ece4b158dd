#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>
#include <thread>
#include <vector>

// A library for LD_PRELOAD that disturbs its process, as some programs do. HOSTILE selects how.
// Most disturbances begin after 500 ms, while a tool works in the process. The tool must cope with
// them.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void __libc_free(void* memory);
}

namespace {

std::atomic<bool> counts_memory{false};
std::atomic<std::size_t> allocations{0};

void close_descriptors() { ::syscall(SYS_close_range, 3U, ~0U, 0U); }

// Makes all later attempts to open or remove a file fail.
void forbid_files() {
  const auto number_at = offsetof(seccomp_data, nr);
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number_at),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unlink, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
  };
  sock_fprog program{static_cast<unsigned short>(std::size(filter)), filter};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

void change_root() {
  const char* const folder = std::getenv("HOSTILE_ROOT");
  if (folder == nullptr || ::chroot(folder) != 0 || ::chdir("/") != 0) ::_exit(95);
}

void make_threads() {
  for (int made = 0; made < 10'000;) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 500; ++i) {
      threads.emplace_back([] { ::usleep(1000); });
    }
    for (std::thread& thread : threads) thread.join();
    made += 500;
  }
}

[[gnu::constructor]] void begin() {
  const char* const wanted = std::getenv("HOSTILE");
  if (wanted == nullptr) return;
  const std::string_view what(wanted);
  // This process may start other programs. They must not load this library.
  ::unsetenv("LD_PRELOAD");
  if (what == "malloc") {
    counts_memory = true;
    return;
  }
  void (*const act)() = what == "descriptors" ? close_descriptors
                        : what == "seccomp"   ? forbid_files
                        : what == "chroot"    ? change_root
                        : what == "threads"   ? make_threads
                                              : nullptr;
  if (act == nullptr) ::_exit(94);
  std::thread([act] {
    ::usleep(500'000);
    act();
  }).detach();
}

}  // namespace

// Replaces malloc. It fills the memory that it returns, as heaps with checks do.
extern "C" {

void* malloc(std::size_t size) {
  if (counts_memory.load(std::memory_order_relaxed)) ++allocations;
  void* memory = __libc_malloc(size);
  if (memory != nullptr && counts_memory.load(std::memory_order_relaxed)) {
    std::memset(memory, 0xA5, size);
  }
  return memory;
}

void* calloc(std::size_t count, std::size_t size) { return __libc_calloc(count, size); }

void* realloc(void* old, std::size_t size) { return __libc_realloc(old, size); }

void free(void* memory) { __libc_free(memory); }
}
