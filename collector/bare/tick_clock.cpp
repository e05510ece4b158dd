#include "collector/bare/range_times.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "collector/process/clock.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace lapscope::bare {
namespace {

#if defined(__x86_64__)
// Returns whether the Linux kernel uses the TSC as its clock. The kernel uses another clock if the
// TSC can stop or jump, as in some virtual machines.
bool can_use_counter() {
  char name[8] = {};
  const int file = ::open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                          O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t bytes = ::read(file, name, sizeof name - 1);
  ::close(file);
  return bytes >= 3 && std::strncmp(name, "tsc", 3) == 0;
}
std::int64_t counter() { return static_cast<std::int64_t>(__rdtsc()); }
#elif defined(__aarch64__)
// On AArch64, Linux derives CLOCK_MONOTONIC from this counter.
bool can_use_counter() { return true; }
std::int64_t counter() {
  std::int64_t value = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
}
#else
bool can_use_counter() { return false; }
std::int64_t counter() { return 0; }
#endif

// One instant on both clocks: the counter and CLOCK_MONOTONIC. The thread can be interrupted
// between the two readings, and the interruption can last longer than a short program. So now()
// reads both clocks several times, and keeps the pair of readings that took the least time.
struct Instant {
  std::int64_t ticks = 0;
  std::int64_t ns = 0;
};

Instant now() {
  constexpr int readings = 8;
  Instant best;
  std::int64_t shortest = 0;
  for (int i = 0; i < readings; ++i) {
    const std::int64_t before = counter();
    const std::int64_t ns = process::read_clock(CLOCK_MONOTONIC);
    const std::int64_t length = counter() - before;
    if (i > 0 && length >= shortest) continue;
    shortest = length;
    best = {before + length / 2, ns};
  }
  return best;
}

const bool uses_counter = can_use_counter();
const Instant origin = now();  // read when the library is loaded

}  // namespace

std::int64_t ticks() noexcept {
  return uses_counter ? counter() : process::read_clock(CLOCK_MONOTONIC);
}

double ns_of_ticks(std::int64_t ticks) noexcept {
  if (!uses_counter) return static_cast<double>(ticks);
  const Instant end = now();
  return static_cast<double>(ticks) * static_cast<double>(end.ns - origin.ns) /
         static_cast<double>(end.ticks - origin.ticks);
}

}  // namespace lapscope::bare
