#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analyzer/model/ops.h"
#include "collector/schema/enumeration.h"

// Converts optional columns of a file to columns of Ops.
namespace lapscope::analyzer {

// Returns the hardware channel if its type is compute or asynchronous copy; otherwise no_channel.
constexpr std::uint16_t channel_of(std::optional<std::int64_t> id,
                                   std::optional<std::int64_t> type) {
  if (type != schema::codes::compute_channel && type != schema::codes::copy_channel)
    return no_channel;
  const bool fits = id && 0 <= *id && *id < no_channel;
  return fits ? static_cast<std::uint16_t>(*id) : no_channel;
}

// Returns the MemoryFlags of a copy.
constexpr int copy_flags(std::optional<std::int64_t> source_kind,
                         std::optional<std::int64_t> target_kind) {
  constexpr std::int64_t pageable = 0;  // ENUM_CUDA_MEM_KIND
  return (source_kind == pageable ? source_pageable : 0) |
         (target_kind == pageable ? target_pageable : 0);
}

// Returns the destination device of a copy between devices; for other ops, no_device.
constexpr std::uint8_t target_of(OpKind kind, std::optional<std::int64_t> device) {
  const bool fits = kind == OpKind::peer_copy && device && 0 <= *device && *device < no_device;
  return fits ? static_cast<std::uint8_t>(*device) : no_device;
}

// Returns whether a copy in this direction (ENUM_CUDA_MEMCPY_OPER) can have these kinds of source
// and target memory (ENUM_CUDA_MEM_KIND). Returns false if a kind is absent, because the collector
// always records both kinds. Managed memory fits the host and the device.
constexpr bool has_direction(std::int64_t copy_kind, std::optional<std::int64_t> source_kind,
                             std::optional<std::int64_t> target_kind) {
  const auto is_host = [](std::int64_t kind) { return kind == 0 || kind == 1; };
  const auto is_device = [](std::int64_t kind) { return kind == 2 || kind == 3 || kind == 5; };
  const auto fits = [&](std::optional<std::int64_t> kind, bool on_host) {
    return kind && !(on_host ? is_device(*kind) : is_host(*kind));
  };
  const bool from_host = copy_kind == 1 || copy_kind == 3 || copy_kind == 9;
  const bool to_host = copy_kind == 2 || copy_kind == 4 || copy_kind == 9;
  return copy_kind != 0 && fits(source_kind, from_host) && fits(target_kind, to_host);
}

// The type of each hardware channel in the rows read so far.
class ChannelTypes {
 public:
  // Returns whether all earlier rows of the channel have this type. Returns true for a row without
  // a type.
  bool agree(std::int64_t device, std::optional<std::int64_t> id,
             std::optional<std::int64_t> type) {
    if (!id || !type || channel_of(id, type) == no_channel) return true;
    if (device != last_device_) {
      last_device_ = device;
      last_ = &types_[device];
    }
    const auto channel = static_cast<std::size_t>(*id);
    if (last_->size() <= channel) last_->resize(channel + 1);
    std::uint8_t& known = (*last_)[channel];
    const auto told = static_cast<std::uint8_t>(*type);
    if (known == 0) known = told;
    return known == told;
  }

 private:
  std::map<std::int64_t, std::vector<std::uint8_t>> types_;  // by device and id; 0: not seen yet
  std::int64_t last_device_ = -1;
  std::vector<std::uint8_t>* last_ = nullptr;
};

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
