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

// The work for which the host waits inside a call. Each value includes the values before it.
enum class HostWait {
  none,
  its_stream,  // Earlier work of the call's own stream, and the call's own work.
  device,      // Work in unrelated streams, too.
};

// The behaviour of the kernel that was issued after the call, from the least to the most waiting.
enum class Follower {
  overlaps,     // It ran while the kernel before the call ran.
  waits,        // It was issued while that kernel ran, and started only after that kernel.
  host_waited,  // It could not be issued earlier: the host waited in the call.
};

std::string_view text_of(HostWait wait);

// Returns whether the call waited for the running kernel. Returns nothing if this is unclear: the
// kernel ended during the call, and the call took at most 1 ms + 2 * `idle_ms`.
std::optional<bool> host_waited(const Observation& seen, double idle_ms);

// Returns the work that the host waited for in one repeat. Returns nothing if this is unclear. A
// repeat has two observations. In `own`, the kernel before the call is in the call's own stream. In
// `unrelated`, this kernel is in another stream, to which the call issues no work.
std::optional<HostWait> host_wait(const Observation& unrelated, const Observation& own,
                                  double idle_ms);

// Returns the behaviour of the later kernel. The earlier kernel was issued before the call, and the
// later kernel after the call. Returns nothing if host_waited() returns nothing, or if all of these
// are true:
//   - The two kernels did not overlap.
//   - The earlier kernel ended less than 0.2 ms after the launch of the later kernel.
//   - This launch took less than 0.5 ms.
std::optional<Follower> follower(const Observation& seen, double idle_ms);

// The most frequent answer of the repeats.
template <typename T>
struct Verdict {
  std::optional<T> value;  // Empty if no repeat had a clear answer.
  int agreeing = 0;        // Repeats that answered `value`.
  int clear = 0;           // Repeats with a clear answer.

  bool varies() const { return agreeing != clear; }
};

// Returns the most frequent answer. If several answers are equally frequent, returns the answer
// with the most waiting.
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

// The behaviour of a call.
struct Behaviour {
  Verdict<HostWait> host;
  Verdict<Follower> own_stream;    // Work issued to the call's own stream after the call.
  Verdict<Follower> non_blocking;  // Two unrelated non-blocking streams.
  Verdict<Follower> blocking;      // Two unrelated blocking streams.
};

// All observations of a call. The first index is the arrangement, and the second is the repeat.
using Observations = std::array<std::vector<Observation>, arrangements.size()>;

Behaviour judge(const Observations& seen, double idle_ms);

// Returns whether the call behaves as documented: "yes", "no" or "unclear". A call that should
// affect all streams may also get "blocking only" or "non-blocking only". Returns "-" if there is
// nothing to check.
std::string_view as_documented(Documented says, const Behaviour& behaviour);

}  // namespace lapscope::workloads::implicit_sync
