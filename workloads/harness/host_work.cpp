#include "workloads/harness/host_work.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "workloads/harness/affine.h"
#include "workloads/harness/handles.h"

namespace lapscope::workloads {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t seed = 1;
constexpr std::uint64_t between_looks_at_the_clock = 256;

std::uint32_t apply(std::uint32_t x, std::uint64_t applications) {
  for (std::uint64_t i = 0; i < applications; ++i) {
    x = step(x);
    // Keeps the compiler from folding several steps into one.
    asm volatile("" : "+r"(x));
  }
  return x;
}

}  // namespace

HostWork::HostWork(std::chrono::microseconds length) : length_(length) {
  us_ = std::min(host_us([&] { perform(); }), host_us([&] { perform(); }));
  reset();
}

void HostWork::perform() {
  const auto end = Clock::now() + length_;
  std::uint32_t x = seed;
  std::uint64_t applications = 0;
  while (Clock::now() < end) {
    x = apply(x, between_looks_at_the_clock);
    applications += between_looks_at_the_clock;
  }
  if (x == power(step, applications)(seed)) ++right_;
}

void HostWork::verify(std::uint64_t times) const {
  if (right_ == times) return;
  throw std::runtime_error("wrong result: the work of the host was done rightly " +
                           std::to_string(right_) + " times and should have been " +
                           std::to_string(times) + " times");
}

}  // namespace lapscope::workloads
