#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyzer/model/ops.h"

namespace lapscope::analyzer {

// Stores each launch geometry once: kernels are mostly launched with the same few geometries.
class GeometryTable {
 public:
  std::uint32_t index_of(const LaunchGeometry& geometry) {
    if (last_ < all_.size() && all_[last_] == geometry) return last_;
    const auto [known, is_new] =
        index_.try_emplace(geometry, static_cast<std::uint32_t>(all_.size()));
    if (is_new) all_.push_back(geometry);
    last_ = known->second;
    return last_;
  }

  // Returns all geometries in sorted order, so that the order of rows in the file has no effect.
  // Changes `indices` to the new order. An index comes from index_of() or is no_index.
  std::vector<LaunchGeometry> take_sorted(std::vector<std::uint32_t>& indices) {
    std::vector<LaunchGeometry> sorted = all_;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint32_t> place;
    for (const LaunchGeometry& geometry : all_) {
      const auto found = std::lower_bound(sorted.begin(), sorted.end(), geometry);
      place.push_back(static_cast<std::uint32_t>(found - sorted.begin()));
    }
    for (std::uint32_t& index : indices) {
      if (index != no_index) index = place[index];
    }
    all_ = {};
    index_ = {};
    return sorted;
  }

 private:
  struct Hash {
    std::size_t operator()(const LaunchGeometry& g) const {
      std::size_t hash = 0;
      for (const std::int64_t part :
           {g.blocks, g.threads_per_block, g.registers_per_thread, g.shared_memory_per_block}) {
        // Fibonacci hashing of each part in turn.
        hash = (hash ^ static_cast<std::size_t>(part)) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32;
      }
      return hash;
    }
  };
  std::vector<LaunchGeometry> all_;
  std::unordered_map<LaunchGeometry, std::uint32_t, Hash> index_;
  std::uint32_t last_ = 0;
};

}  // namespace lapscope::analyzer
