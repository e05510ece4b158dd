#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/workload.h"

namespace lapscope::analyzer {

// The collectives of all devices: each waits until all its ranks run. Refers to what it is given.
class Collectives {
 public:
  using End = std::pair<std::uint32_t, Ns>;  // a task, and when it ends

  explicit Collectives(const Workload& work)
      : work_(work), states_(work.collectives.size()), joined_(work.ranks.size(), never) {}

  // The kernel runs with all its blocks from now on. When it is the last one, the ends of all are
  // known.
  void join(std::uint32_t task, Ns now);

  // Kernels that wait do so no longer, and those that join later need not wait either. Returns
  // whether any kernel waited.
  bool give_up(Ns now);

  // An end that is known and that was not returned before.
  std::optional<End> next();

 private:
  struct State {
    std::uint32_t joined = 0;
    bool is_given_up = false;
  };
  void end_all(std::uint32_t collective, Ns last);

  const Workload work_;
  std::vector<State> states_;  // by collective
  std::vector<Ns> joined_;     // by rank: since when, or never
  std::vector<End> ends_;      // that are known
};

}  // namespace lapscope::analyzer
