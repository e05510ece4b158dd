#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/machine_parameters.h"
#include "analyzer/model/assumptions.h"

// The rules by which kernels take room from each other, for simulated and for recorded runs.
namespace lapscope::analyzer {

// Whether `kernel` has a higher priority than `other`. If so, the blocks of `kernel` are placed
// before the unplaced blocks of `other`, and before the next wave of `other`.
inline bool goes_first(const Workload& work, std::uint32_t kernel, std::uint32_t other) {
  return work.streams[work.tasks[kernel].stream].priority <
         work.streams[work.tasks[other].stream].priority;
}
// Whether the blocks of a kernel that started at `start` are still being placed at `now`.
inline bool is_dealt_out(Ns start, Ns now) { return now - start <= assumed::dealing_out; }

// Kernels of which only some blocks run. The other blocks start when the kernels that occupy their
// room have ended, or when the first blocks have ended. The run time of leave() depends on the
// number of kernels that the leaving kernel delays.
class PartialKernels {
 public:
  // Adds a kernel. `holders`: the running kernels that occupy the room for its other blocks.
  void add(std::uint32_t kernel, bool has_started, const std::vector<std::uint32_t>& holders) {
    if (has(kernel)) return;
    all_[kernel] = {added_++, holders.size(), has_started};
    for (const std::uint32_t holder : holders) held_up_[holder].push_back(kernel);
  }
  bool has(std::uint32_t kernel) const { return all_.contains(kernel); }
  // Notes that a kernel starts. Returns whether some of its blocks still lack room.
  bool start(std::uint32_t kernel) {
    const auto found = all_.find(kernel);
    if (found != all_.end()) found->second.has_started = true;
    return found != all_.end();
  }
  // Frees the room of a kernel. Returns the started kernels whose blocks now all have room. A
  // kernel that has not started yet is not returned. start() returns false for it later.
  std::vector<std::uint32_t> leave(std::uint32_t kernel) {
    if (all_.empty()) {
      if (!held_up_.empty()) held_up_.clear();
      return {};
    }
    std::vector<std::pair<std::uint64_t, std::uint32_t>> complete;  // in the order of add()
    const auto complete_one = [&](std::uint32_t one) {
      const auto found = all_.find(one);
      if (found->second.has_started) complete.emplace_back(found->second.place, one);
      all_.erase(found);
    };
    if (const auto held_up = held_up_.find(kernel); held_up != held_up_.end()) {
      for (const std::uint32_t one : held_up->second) {
        const auto found = all_.find(one);
        if (found != all_.end() && --found->second.holders == 0) complete_one(one);
      }
      held_up_.erase(held_up);
    }
    if (has(kernel)) complete_one(kernel);
    std::sort(complete.begin(), complete.end());
    std::vector<std::uint32_t> kernels;
    for (const auto& [place, one] : complete) kernels.push_back(one);
    return kernels;
  }

 private:
  struct Partial {
    std::uint64_t place = 0;
    std::size_t holders = 0;
    bool has_started = false;
  };
  std::unordered_map<std::uint32_t, Partial> all_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> held_up_;  // by holder
  std::uint64_t added_ = 0;
};

}  // namespace lapscope::analyzer
