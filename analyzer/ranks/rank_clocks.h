#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/ranks/clock_line.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

// The differences between the clocks of ranks and the common clock. The common clock is the clock
// of the first rank's host.
struct RankClocks {
  std::vector<ClockLine> lines;  // by rank: what to add to its times; 0 on the first host
  std::vector<Ns> errors;        // by rank: the greatest error of its line, in ns
  // The greatest error, in ns, of a difference between times of two ranks. 0 if all ran on one
  // host.
  Ns error = 0;
  std::int64_t without_utc = 0;  // ranks whose traces do not have the start of the session
  // Whether the collectives or messages of some host contradict each other: no ClockLine fits all
  // of them. This happens if the clock of the host was changed during the run.
  bool is_contradicted = false;
  // Whether the clock of some host is not known. A clock is known if collectives, or messages in
  // both directions, relate its host to a host whose clock is known. The clock of the first host is
  // known.
  bool is_unknown = false;
};

// Several machines may have the same host name. Adds a number to the names of all of them but the
// first: "node (2)" is the second machine with the name "node". Two ranks of one host name ran on
// the same machine if their RankWork::booted differ by at most assumed::clock_step. A rank whose
// `booted` is not known keeps its host name.
void tell_hosts_apart(std::span<RankWork> ranks);

// Finds the differences between the clocks of hosts. In a collective that joins all ranks, no
// kernel ends before the last kernel has started. Let a and b be kernels of the collective: a on
// the first host, and b on another host. Let d(t) be the time to add to time t of b's clock. Then
//
//   a.start - b.end  <  d(b.end)    and    d(b.start)  <  a.end - b.start
//
// hold for each collective. fit_clock() finds d from these bounds. A group of joining_kernels() has
// kernels of several ranks. Ranks are compared if they have the same number of kernels in the
// group. The k-th kernels of these ranks are taken as one collective.
//
// A host may have no collectives with the first host. Its clock is then fitted to the known clock
// of another host, and the errors of both clocks add up.
//
// Messages give bounds, too, because a receive does not end before its send begins. These bounds
// are used only if collectives give no bounds for any of the unknown clocks.
RankClocks rank_clocks(std::span<const RankWork> ranks);

// The greatest error, in ns, of a difference between times of two ranks. `errors` is
// RankClocks::errors, or empty if all clocks are exact.
Ns error_between(std::span<const RankWork> ranks, std::span<const Ns> errors, std::uint32_t a,
                 std::uint32_t b);

// Moves all times of the ranks to the common clock.
void move_to_common_clock(const RankClocks& clocks, std::span<RankWork> ranks);

}  // namespace lapscope::analyzer
