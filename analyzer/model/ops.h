#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

enum class OpKind : std::uint8_t { kernel, memcpy, peer_copy, memset };

// What an op occupies on the device.
enum class Engine : std::uint8_t {
  compute,     // kernels, memsets, anything on a compute channel
  h2d,         // copies from the host
  d2h,         // copies to the host
  other_copy,  // copies between devices, and within one on a copy channel
  // Kernels that communicate with other GPUs: time in them is transfer, or waiting for a peer. By
  // their names, which Ops::engine does not know: there they are `compute`, as they run on
  // multiprocessors.
  communication,
};

inline constexpr std::array all_engines = {Engine::compute, Engine::h2d, Engine::d2h,
                                           Engine::other_copy, Engine::communication};

std::string_view name_of(Engine engine);

// What decides how many blocks of a kernel fit on a multiprocessor, and how many there are.
struct LaunchGeometry {
  std::int64_t blocks = 0;
  std::int64_t threads_per_block = 0;
  std::int64_t registers_per_thread = 0;
  Bytes shared_memory_per_block = 0;  // static and dynamic

  friend auto operator<=>(const LaunchGeometry&, const LaunchGeometry&) = default;
};

// The engine of a copy, from its ENUM_CUDA_MEMCPY_OPER and, where the trace has it, its
// ENUM_LAPSCOPE_CHANNEL_TYPE. The channel decides first: a small pageable H2D copy can run on a
// compute channel, and then competes with kernels, not with copies. Without a channel, a copy
// within the device counts as compute, where current GPUs run it.
Engine engine_of_copy(std::int64_t copy_kind, std::optional<std::int64_t> channel_type);

// Whether a row of the table of copies is no copy but a migration of managed memory, by its
// ENUM_CUDA_MEMCPY_OPER: exports of Nsight Systems have them there. A migration is part of the work
// that faulted or prefetched and no op: it is in no stream and waits for none.
constexpr bool is_migration(std::int64_t copy_kind) {
  return 11 <= copy_kind && copy_kind <= 13;  // to the device, to the host, between devices
}

// Whether it is a copy from the host to the host, by the same.
constexpr bool is_between_host(std::int64_t copy_kind) { return copy_kind == 9; }

// The engine of a memset: compute unless on a copy channel.
Engine engine_of_memset(std::optional<std::int64_t> channel_type);

// From the same ENUM_CUDA_MEMCPY_OPER: peer_copy for a copy between devices, memcpy for any other.
OpKind kind_of_copy(std::int64_t copy_kind);

// "None" in columns that hold an index, and of ids.
inline constexpr std::uint32_t no_index = 0xFFFFFFFF;
// "Not known" in Ops::channel, and in Ops::target.
inline constexpr std::uint16_t no_channel = 0xFFFF;
inline constexpr std::uint8_t no_device = 0xFF;

// Bits of Ops::memory. A bit that is not set may also be one that the trace does not have: exports
// of Nsight Systems have no `asynchronous`.
enum MemoryFlag : std::uint8_t {
  source_pageable = 1,  // of copies
  target_pageable = 2,  // of copies
  asynchronous = 4,     // copies by a call that need not wait, as cudaMemcpyAsync
  in_graph = 8,         // any op that is a node of a CUDA graph
  between_host = 16,    // copies from the host to the host
};

// Which node of a CUDA graph an op is. Ids are unique in a process: each executable graph has nodes
// of its own.
struct OpNode {
  std::uint32_t op = 0;
  std::uint64_t node = 0;

  friend bool operator==(const OpNode&, const OpNode&) = default;
};

// The device activities of one device, a column each: one op is the same index in all of them. Only
// ops whose times can be believed are here (0 <= start <= end <= latest_time); the reader counts
// the others. 46 bytes an op.
//
// Ops are in the order of their starts; of equal starts, in an order that depends on the ops alone
// and not on where they stood in the file.
struct Ops {
  std::vector<Ns> start;
  std::vector<Ns> end;
  std::vector<Bytes> bytes;             // of copies and memsets
  std::vector<std::uint32_t> stream;    // in Device::streams
  std::vector<std::uint32_t> name;      // of kernels, in Trace::names; no_index for others
  std::vector<std::uint32_t> issue;     // the call that issued it, in Trace::calls; or no_index
  std::vector<std::uint32_t> geometry;  // of kernels, in `geometries`; no_index for others
  std::vector<Engine> engine;
  std::vector<OpKind> kind;
  // Hardware queue, a compute or copy channel: streams that share one wait for each other. Ids
  // count in a process and device. no_channel where the trace does not have it.
  std::vector<std::uint16_t> channel;
  std::vector<std::uint8_t> memory;  // MemoryFlag
  std::vector<std::uint8_t> target;  // of copies between devices, the one written to; or no_device

  std::vector<LaunchGeometry> geometries;  // each that occurs, once
  std::vector<OpNode> nodes;               // of ops in graphs alone, by op; 16 bytes each

  std::size_t size() const { return start.size(); }
  bool empty() const { return start.empty(); }
  Interval interval(std::size_t op) const { return {start[op], end[op]}; }

  // What has an entry per op: for code that treats all columns alike.
  static constexpr auto columns() {
    return std::make_tuple(&Ops::start, &Ops::end, &Ops::bytes, &Ops::stream, &Ops::name,
                           &Ops::issue, &Ops::geometry, &Ops::engine, &Ops::kind, &Ops::channel,
                           &Ops::memory, &Ops::target);
  }
};

// What measures count an op for: as Ops::engine, but for kernels that communicate. `communication`
// is by index in the trace's names; a name beyond its end does not.
inline Engine engine_of(const Ops& ops, std::uint32_t op, const std::vector<bool>& communication) {
  const std::uint32_t name = ops.name[op];
  return name < communication.size() && communication[name] ? Engine::communication
                                                            : ops.engine[op];
}

// The node that an op is; 0 when not known.
std::uint64_t node_of_op(const Ops& ops, std::uint32_t op);

// What an op does, as a number: ops that do the same have the same number.
std::uint64_t code_of_op(const Ops& ops, std::uint32_t op);

// Indices of ops into the order that Ops demands.
void sort_by_start(const Ops& ops, std::vector<std::uint32_t>& order);

// The entries of a column at these indices.
template <class T>
std::vector<T> gathered(const std::vector<T>& column, const std::vector<std::uint32_t>& order) {
  std::vector<T> result;
  result.reserve(order.size());
  for (const std::uint32_t from : order) result.push_back(column[from]);
  return result;
}

// Empties a column and gives its memory back, which assigning an empty one does not.
template <class T>
void release(std::vector<T>& column) {
  std::vector<T>().swap(column);
}

}  // namespace lapscope::analyzer
