#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/implicit_sync/call.h"
#include "workloads/implicit_sync/observation.h"

namespace lapscope::workloads::implicit_sync {

// What the host waits for inside a call. From weak to strong.
enum class HostWait {
  none,
  its_stream,  // The work before it in its own stream, and with that its own work.
  device,      // Work in streams that have nothing to do with it.
};

// When a kernel that was issued after the call ran. From weak to strong.
enum class Follower {
  overlaps,     // While the kernel before the call ran.
  waits,        // It was issued while that kernel ran, and started only after it.
  host_waited,  // It could not be issued earlier: the host waited in the call.
};

std::string_view text_of(HostWait wait);

// Whether the host waited for the kernel before; empty if that cannot be decided: the kernel had
// ended when the call returned, and the call took no longer than 1 ms plus twice its idle time.
std::optional<bool> host_waited(const Observation& seen, double idle_ms);

// The answer of one repeat, from one observation with the kernel in an unrelated stream and one
// with the kernel in the call's own stream; empty if it cannot be decided.
std::optional<HostWait> host_wait(const Observation& unrelated, const Observation& own,
                                  double idle_ms);

// Empty if it cannot be decided: the kernel before was within 0.2 ms of its end when the kernel
// after had been issued, and issuing that took less than 0.5 ms, so that it did not wait either.
std::optional<Follower> follower(const Observation& seen, double idle_ms);

// What most repeats answered.
template <typename T>
struct Verdict {
  std::optional<T> value;  // Empty if no repeat had a clear answer.
  int agreeing = 0;        // Repeats that answered `value`.
  int clear = 0;           // Repeats with a clear answer.

  bool varies() const { return agreeing != clear; }
};

// If several answers came equally often, the stronger one counts.
template <typename T>
Verdict<T> majority(const std::vector<std::optional<T>>& answers) {
  Verdict<T> verdict;
  for (const auto& answer : answers) {
    if (!answer) continue;
    ++verdict.clear;
    const auto same = static_cast<int>(std::ranges::count(answers, answer));
    if (same > verdict.agreeing || (same == verdict.agreeing && *answer > *verdict.value)) {
      verdict.value = *answer;
      verdict.agreeing = same;
    }
  }
  return verdict;
}

// How a call behaves.
struct Behaviour {
  Verdict<HostWait> host;
  Verdict<Follower> own_stream;    // What is issued to the call's own stream after it.
  Verdict<Follower> non_blocking;  // Two unrelated non-blocking streams.
  Verdict<Follower> blocking;      // Two unrelated blocking streams.
};

// All observations of a call, by arrangement, then by repeat.
using Observations = std::array<std::vector<Observation>, arrangements.size()>;

Behaviour judge(const Observations& seen, double idle_ms);

// "yes", "no", "blocking only" or "non-blocking only" (of a claim about all streams), "unclear", or
// "-" where nothing is claimed that could be wrong.
std::string_view as_documented(Documented says, const Behaviour& behaviour);

}  // namespace lapscope::workloads::implicit_sync
