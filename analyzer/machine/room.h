#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/machine_parameters.h"
#include "analyzer/model/assumptions.h"

// The rules by which kernels take room from each other, of runs and of what was recorded.
namespace lapscope::analyzer {

// Blocks of a kernel of higher priority are served first: before those that are still being dealt
// out, and before the next wave.
inline bool goes_first(const Workload& work, std::uint32_t kernel, std::uint32_t other) {
  return work.streams[work.tasks[kernel].stream].priority <
         work.streams[work.tasks[other].stream].priority;
}
// Whether blocks of a kernel that started then are still being dealt out.
inline bool is_dealt_out(Ns start, Ns now) { return now - start <= assumed::dealing_out; }

// Kernels of which some blocks alone run, until those have ended that hold the rest of their room,
// or their own first blocks.
class PartialKernels {
 public:
  void add(std::uint32_t kernel, bool has_started, std::vector<std::uint32_t> holders) {
    all_.push_back({kernel, has_started, std::move(holders)});
  }
  bool has(std::uint32_t kernel) const {
    return std::any_of(all_.begin(), all_.end(),
                       [kernel](const Partial& one) { return one.kernel == kernel; });
  }
  // One of these starts. Whether it is one.
  bool start(std::uint32_t kernel) {
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [kernel](const Partial& one) { return one.kernel == kernel; });
    if (found != all_.end()) found->has_started = true;
    return found != all_.end();
  }
  // A kernel leaves its room. Those that have started and now have all of theirs; one that is still
  // on its way finds out when it starts.
  std::vector<std::uint32_t> leave(std::uint32_t kernel) {
    std::vector<std::uint32_t> complete;
    std::erase_if(all_, [&](Partial& one) {
      std::erase(one.holders, kernel);
      if (one.kernel != kernel && !one.holders.empty()) return false;
      if (one.has_started) complete.push_back(one.kernel);
      return true;
    });
    return complete;
  }

 private:
  struct Partial {
    std::uint32_t kernel = no_index;
    bool has_started = false;
    std::vector<std::uint32_t> holders;  // that ran when it started, and still do
  };
  std::vector<Partial> all_;
};

}  // namespace lapscope::analyzer
