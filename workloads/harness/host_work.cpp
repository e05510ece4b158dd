#include "workloads/harness/host_work.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "workloads/harness/affine.h"
#include "workloads/harness/timing.h"

namespace lapscope::workloads {
namespace {

constexpr std::uint32_t seed = 1;

std::uint32_t apply(std::uint64_t applications) {
  std::uint32_t x = seed;
  for (std::uint64_t i = 0; i < applications; ++i) {
    x = step(x);
    // A compiler that sees through the loop would fold several steps into one.
    asm volatile("" : "+r"(x));
  }
  return x;
}

}  // namespace

HostWork::HostWork(std::chrono::microseconds length) {
  // Doubled until it takes half of the length: long enough to be timed, and the clock is up.
  const double wanted = static_cast<double>(length.count());
  std::uint64_t probe = 1024;
  double took = 0;
  while (took < wanted / 2) {
    probe *= 2;
    took = host_us([&] { apply(probe); });
  }
  applications_ = static_cast<std::uint64_t>(static_cast<double>(probe) * wanted / took);
  us_ = std::min(host_us([&] { perform(); }), host_us([&] { perform(); }));
  reset();
}

void HostWork::perform() {
  if (apply(applications_) == power(step, applications_)(seed)) ++right_;
}

void HostWork::verify(std::uint64_t times) const {
  if (right_ == times) return;
  throw std::runtime_error("wrong result: the work of the host was done rightly " +
                           std::to_string(right_) + " times and should have been " +
                           std::to_string(times) + " times");
}

}  // namespace lapscope::workloads
