#pragma once

#include "workloads/implicit_sync/wait_verdict.h"

namespace lapscope::workloads::implicit_sync {

// Invented observations of one call, which takes 0.1 ms on an idle device. The kernel `before` is
// launched before the call, and runs from 1000 to 2401000 ns of the GPU's timer. The kernel `after`
// is launched after the call. In the drawings, bars are the times in which the call and the kernels
// run.
inline constexpr double idle_ms = 0.1;
inline constexpr KernelSpan before{1000, 2401000};

//   kernel `before`  |---------------------|
//   call                |--|
//   kernel `after`           |-|
inline Observation overlapping() { return {0.1, false, 0.005, 2.2, before, {200000, 220000}}; }

//   kernel `before`  |---------------------|
//   call                |--|
//   kernel `after`                           |-|      issued while `before` was running
inline Observation waiting() { return {0.1, false, 0.005, 2.2, before, {2403000, 2423000}}; }

//   kernel `before`  |---------------------|
//   call                |--------------------|
//   kernel `after`                             |-|
inline Observation blocking_host() {
  return {2.38, true, 0.005, -0.01, before, {2420000, 2440000}};
}

//   kernel `before`  |---------------------|
//   call                                 |---|        began late and took the usual time
//   kernel `after`                             |-|
inline Observation late() { return {0.1, true, 0.005, -0.01, before, {2420000, 2440000}}; }

// Returns the same observation for each repeat in every arrangement.
inline Observations always(const Observation& seen, std::size_t repeats = 5) {
  Observations all;
  all.fill(std::vector<Observation>(repeats, seen));
  return all;
}

inline std::vector<Observation>& in(Observations& seen, Arrangement arrangement) {
  return seen[static_cast<std::size_t>(arrangement)];
}

}  // namespace lapscope::workloads::implicit_sync
