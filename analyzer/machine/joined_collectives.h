#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/workload.h"

namespace lapscope::analyzer {

// The collectives of all devices. Each rank of a collective has one kernel. This kernel waits until
// the kernels of all ranks run. The data behind the constructor's argument must outlive this
// object.
class Collectives {
 public:
  using End = std::pair<std::uint32_t, Ns>;  // a task and its end

  explicit Collectives(const Workload& work)
      : work_(work), states_(work.collectives.size()), joined_(work.ranks.size(), never) {}

  // Notes that all blocks of a kernel run from `now` on. The last kernel that joins a collective
  // determines when all kernels of the collective end.
  void join(std::uint32_t task, Ns now);

  // Ends the wait of all kernels that have joined an incomplete collective. Kernels that join the
  // collective later do not wait. Returns whether a kernel waited.
  bool give_up(Ns now);

  // Returns a task whose end is known, and its end. Returns each task once. Returns nullopt if no
  // other end is known.
  std::optional<End> next();

 private:
  struct State {
    std::uint32_t joined = 0;
    bool is_given_up = false;
  };
  void end_all(std::uint32_t collective, Ns last);

  const Workload work_;
  std::vector<State> states_;  // by collective
  std::vector<Ns> joined_;     // by rank: when it joined, or never
  std::vector<End> ends_;      // known, and not returned yet
};

}  // namespace lapscope::analyzer
