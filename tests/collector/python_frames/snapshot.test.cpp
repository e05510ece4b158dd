#include "collector/python_frames/snapshot.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::python_frames {
namespace {

// Two pages, of which only the first is mapped.
class Edge {
 public:
  Edge()
      : memory_(static_cast<std::byte*>(::mmap(nullptr, 2 * page_size, PROT_READ | PROT_WRITE,
                                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    ::munmap(memory_ + page_size, page_size);
    std::memset(memory_, 7, page_size);
  }
  ~Edge() { ::munmap(memory_, page_size); }
  std::uintptr_t end() const { return reinterpret_cast<std::uintptr_t>(memory_) + page_size; }

 private:
  std::byte* memory_;
};

Place place_of(const std::vector<int>& values) {
  return {reinterpret_cast<std::uintptr_t>(values.data()),
          static_cast<std::uint32_t>(values.size() * sizeof(int))};
}

TEST_CASE("memory is copied up to the first place that cannot be read", "[python]") {
  const OwnProcess process;
  const Edge edge;
  const std::vector<int> one(10, 1), other(10, 2);
  std::vector<std::byte> to(4096);
  const Place bad[] = {{edge.end() - 4, 8},
                       {edge.end(), 8},
                       {0, 8},
                       {8, 8},
                       {0x0000800000000000, 8},
                       {0x7fffffffffff, 8},
                       {0xffff800000000000, 8},
                       {~std::uintptr_t{0} - 3, 8}};
  for (const Place& place : bad) {
    const Place places[] = {place_of(one), place, place_of(other)};
    CHECK(copy_memory(process, places, to) == 1);
    CHECK(value_in<int>(to.data(), 36) == 1);
    const Place bad_first[] = {place, place_of(one)};
    CHECK(copy_memory(process, bad_first, to) == 0);
  }
}

TEST_CASE("more places than one call takes", "[python]") {
  const OwnProcess process;
  std::vector<int> values(1000);
  std::vector<Place> places;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int>(i);
    places.push_back({reinterpret_cast<std::uintptr_t>(&values[i]), sizeof(int)});
  }
  std::vector<std::byte> to(4000);
  REQUIRE(copy_memory(process, places, to) == 1000);
  CHECK(value_in<int>(to.data(), 999 * sizeof(int)) == 999);
  CHECK(copy_memory(process, places, std::span(to).first(398)) == 99);
  const Edge edge;
  places[700] = {edge.end(), 4};
  CHECK(copy_memory(process, places, to) == 700);
}

TEST_CASE("a snapshot is of now, also where the walk before has read the same", "[python]") {
  const OwnProcess process;
  const auto snapshot = std::make_unique<Snapshot>();
  std::vector<int> values(10, 1);
  const Place place = place_of(values);
  for (int round = 1; round < 5; ++round) {
    values[3] = round;
    snapshot->begin(process);
    const std::byte* read = snapshot->at(place.address, place.size);
    REQUIRE(read);
    CHECK(value_in<int>(read, 12) == round);
    const std::byte* part = snapshot->at(place.address + 12, 4);
    REQUIRE(part);
    CHECK(value_in<int>(part, 0) == round);
  }
}

TEST_CASE("what has gone since the walk before is not there, and the rest is", "[python]") {
  const OwnProcess process;
  const auto snapshot = std::make_unique<Snapshot>();
  const std::vector<int> values(10, 1);
  std::uintptr_t gone;
  {
    const Edge edge;
    gone = edge.end() - 16;
    snapshot->begin(process);
    CHECK(snapshot->at(gone, 16));
    CHECK(snapshot->at(place_of(values).address, 4));
  }
  snapshot->begin(process);
  CHECK_FALSE(snapshot->at(gone, 16));
  CHECK(snapshot->at(place_of(values).address, 4));
}

TEST_CASE("what is in front is fetched no further than the page", "[python]") {
  const OwnProcess process;
  const auto snapshot = std::make_unique<Snapshot>();
  const Edge edge;
  snapshot->begin(process);
  CHECK(snapshot->at(edge.end() - page_size + 8, 8, 2048));
  CHECK(snapshot->at(edge.end() - 8, 8, 2048));
  CHECK_FALSE(snapshot->at(edge.end() - 4, 8, 2048));
}

TEST_CASE("more than a snapshot has room for cannot be read", "[python]") {
  const OwnProcess process;
  const auto snapshot = std::make_unique<Snapshot>();
  const std::vector<int> values(100'000, 3);
  snapshot->begin(process);
  CHECK_FALSE(snapshot->at(place_of(values).address, 400'000));
  std::size_t read = 0;
  for (std::uint32_t i = 0; i < 100'000 - 64; i += 64) {
    read += snapshot->at(place_of(values).address + i * 4, 256) ? 256u : 0u;
  }
  CHECK(read == 96 * 1024);
  snapshot->begin(process);
  CHECK(snapshot->at(place_of(values).address, 256));
}

TEST_CASE("a forked child reads its own memory and writes nobody else's", "[python]") {
  const auto snapshot = std::make_unique<Snapshot>();
  std::vector<int> values(10, 1);
  const Place place = place_of(values);
  const auto read = [&] {
    const OwnProcess process;
    snapshot->begin(process);
    return snapshot->at(place.address, place.size);
  };
  const std::byte* const own = read();
  REQUIRE(own);
  test::Child child([&] {
    std::fill(values.begin(), values.end(), 2);
    const std::byte* const its = read();
    return its && value_in<int>(its, 0) == 2 ? 0 : 1;
  });
  CHECK(child.wait().exit_status == 0);
  CHECK(value_in<int>(own, 0) == 1);
}

// copy_memory() writes to the process with the id in OwnProcess. If a signal handler could fork
// after OwnProcess has stored this id, the child would write to the parent's memory. In this test,
// the child sleeps before it writes. Meanwhile, the parent fills and checks its own memory.
TEST_CASE("the child of a handler that forks writes nobody else's memory", "[python]") {
  test::Child forking([] {
    static volatile sig_atomic_t is_child, is_due;
    is_child = 0;
    is_due = 1;
    ::signal(SIGCHLD, SIG_IGN);
    ::signal(SIGALRM, [](int) {
      is_due = 1;
      if (::fork() != 0) return;
      is_child = 1;
      ::usleep(500);
    });
    const itimerval soon{{0, 0}, {0, 200}};
    const std::uint64_t value = 0x4343434343434343;
    const Place place{reinterpret_cast<std::uintptr_t>(&value), sizeof value};
    constexpr std::byte own{0x55};
    std::array<std::byte, sizeof value> memory;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (std::chrono::steady_clock::now() < end) {
      // The timer rings once, and is then set again. A periodic timer can keep fork() from
      // finishing.
      if (is_due) {
        is_due = 0;
        ::setitimer(ITIMER_REAL, &soon, nullptr);
      }
      {
        const OwnProcess process;
        copy_memory(process, {&place, 1}, memory);
      }
      if (is_child) ::_exit(0);
      memory.fill(own);
      for (int i = 0; i < 1000; ++i) {
        const volatile std::byte* at = memory.data();
        for (std::size_t k = 0; k < memory.size(); ++k) {
          if (at[k] != own) return 1;
        }
      }
    }
    return 0;
  });
  CHECK(forking.wait().exit_status == 0);
}

// The first thread's id is the process id. After this thread has ended, Linux finds no memory under
// this id.
TEST_CASE("memory is read after the first thread has ended", "[python]") {
  test::Child child([] {
    std::thread([] {
      // Waits until Linux finds no memory under the id of the process.
      const int number = 7;
      const Place place{reinterpret_cast<std::uintptr_t>(&number), sizeof number};
      std::array<std::byte, sizeof number> copy;
      const iovec from{const_cast<int*>(&number), sizeof number};
      const iovec to{copy.data(), copy.size()};
      for (int i = 0; i < 5000 && ::process_vm_readv(::getpid(), &to, 1, &from, 1, 0) > 0; ++i) {
        ::usleep(1000);
      }
      copy = {};
      const OwnProcess process;
      const bool is_read = copy_memory(process, {&place, 1}, copy) == 1;
      ::_exit(is_read && value_in<int>(copy.data(), 0) == 7 ? 0 : 1);
    }).detach();
    ::syscall(SYS_exit, 0);
    return 2;
  });
  CHECK(child.wait().exit_status == 0);
}

TEST_CASE("what a program has in errno and which signals it blocks stay as they are", "[python]") {
  sigset_t before, after;
  sigemptyset(&before);
  sigaddset(&before, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &before, nullptr);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
  std::array<std::byte, 8> to;
  const Place nothing{4096, 8};
  errno = 77;
  {
    const OwnProcess process;
    CHECK(copy_memory(process, {&nothing, 1}, to) == 0);
    ::pthread_sigmask(SIG_SETMASK, nullptr, &after);
    CHECK(sigismember(&after, SIGUSR1) == 1);
    CHECK(sigismember(&after, SIGSEGV) == 0);
    errno = 78;
  }
  CHECK(errno == 77);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (int signal = 1; signal < SIGRTMAX; ++signal) {
    CHECK(sigismember(&after, signal) == sigismember(&before, signal));
  }
  sigemptyset(&before);
  sigaddset(&before, SIGUSR2);
  ::pthread_sigmask(SIG_UNBLOCK, &before, nullptr);
}

}  // namespace
}  // namespace lapscope::python_frames
