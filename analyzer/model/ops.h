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
#include "analyzer/model/names.h"

namespace lapscope::analyzer {

enum class OpKind : std::uint8_t { kernel, memcpy, peer_copy, memset };

// What an op occupies on the device.
enum class Engine : std::uint8_t {
  compute,     // kernels, memsets, anything on a compute channel
  h2d,         // copies from the host
  d2h,         // copies to the host
  other_copy,  // copies between devices; copies within a device on a copy channel
  // Kernels that transfer data to other GPUs or wait for a peer, recognized by their names. They
  // run on multiprocessors, so their Ops::engine is `compute`. engine_of() returns `communication`.
  communication,
};

inline constexpr std::array all_engines = {Engine::compute, Engine::h2d, Engine::d2h,
                                           Engine::other_copy, Engine::communication};

std::string_view name_of(Engine engine);

// The blocks of a kernel, and what limits how many of them fit on a multiprocessor.
struct LaunchGeometry {
  std::int64_t blocks = 0;
  std::int64_t threads_per_block = 0;
  std::int64_t registers_per_thread = 0;
  Bytes shared_memory_per_block = 0;  // static and dynamic

  friend auto operator<=>(const LaunchGeometry&, const LaunchGeometry&) = default;
};

// Returns the engine of a copy. `copy_kind`: ENUM_CUDA_MEMCPY_OPER. `channel_type`:
// ENUM_LAPSCOPE_CHANNEL_TYPE. If the trace has a channel type, it decides. For example, a small
// pageable H2D copy on a compute channel competes with kernels, not with copies. Without a channel
// type, copies within a device have the engine `compute`, where current GPUs run them.
Engine engine_of_copy(std::int64_t copy_kind, std::optional<std::int64_t> channel_type);

// Whether a row of the table of copies is a migration of managed memory, as in exports of Nsight
// Systems. `copy_kind`: ENUM_CUDA_MEMCPY_OPER. A migration is not an op, but part of the work that
// caused the page fault or the prefetch. It is in no stream and waits for none.
constexpr bool is_migration(std::int64_t copy_kind) {
  return 11 <= copy_kind && copy_kind <= 13;  // to the device, to the host, between devices
}

// Whether a copy is from the host to the host, by its ENUM_CUDA_MEMCPY_OPER.
constexpr bool is_between_host(std::int64_t copy_kind) { return copy_kind == 9; }

// Returns the engine of a memset: `compute`, unless the memset runs on a copy channel.
Engine engine_of_memset(std::optional<std::int64_t> channel_type);

// Returns peer_copy for a copy between devices, else memcpy. `copy_kind`: ENUM_CUDA_MEMCPY_OPER.
OpKind kind_of_copy(std::int64_t copy_kind);

// no_index means "none" in columns of indices and of ids.
inline constexpr std::uint32_t no_index = 0xFFFFFFFF;
// no_channel in Ops::channel, and no_device in Ops::target, mean "not known".
inline constexpr std::uint16_t no_channel = 0xFFFF;
inline constexpr std::uint8_t no_device = 0xFF;

// Bits of Ops::memory. A bit is 0 if the fact is false or not known.
enum MemoryFlag : std::uint8_t {
  source_pageable = 1,  // of copies
  target_pageable = 2,  // of copies
  in_graph = 4,         // any op that is a node of a CUDA graph
  between_host = 8,     // copies from the host to the host
};

// An op that is a node of a CUDA graph, and the id of the node. Executable graphs do not share
// nodes, so ids are unique in a process.
struct OpNode {
  std::uint32_t op = 0;
  std::uint64_t node = 0;

  friend bool operator==(const OpNode&, const OpNode&) = default;
};

// The ops of one device in columns. An op has the same index in all columns and takes 46 bytes. The
// reader leaves out ops with impossible times (believable()), and counts them.
//
// Ops are sorted by start. Ops with equal starts have an order that does not depend on the file.
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
  // The hardware queue: a compute or copy channel. Streams that share a channel wait for each
  // other. Ids are unique in a process and device. no_channel: not known.
  std::vector<std::uint16_t> channel;
  std::vector<std::uint8_t> memory;  // MemoryFlag
  std::vector<std::uint8_t> target;  // of peer copies: the device written to; or no_device

  std::vector<LaunchGeometry> geometries;  // each that occurs, once
  std::vector<OpNode> nodes;               // only of ops in graphs, by op; 16 bytes each

  std::size_t size() const { return start.size(); }
  bool empty() const { return start.empty(); }
  Interval interval(std::size_t op) const { return {start[op], end[op]}; }

  // The columns with one element per op. Code that does the same with every column uses this list.
  static constexpr auto columns() {
    return std::make_tuple(&Ops::start, &Ops::end, &Ops::bytes, &Ops::stream, &Ops::name,
                           &Ops::issue, &Ops::geometry, &Ops::engine, &Ops::kind, &Ops::channel,
                           &Ops::memory, &Ops::target);
  }
};

// Returns the engine to which measures assign an op: Ops::engine, or Engine::communication for
// kernels that communicate. `communication` is a result of communication_names(). If it is empty,
// no kernel communicates.
inline Engine engine_of(const Ops& ops, std::uint32_t op, const std::vector<bool>& communication) {
  return communicates(communication, ops.name[op]) ? Engine::communication : ops.engine[op];
}

// Returns the id of the graph node of an op; 0 if it is not known.
std::uint64_t node_of_op(const Ops& ops, std::uint32_t op);

// Returns a number for the work of an op: the same for ops of one name, kind and engine.
std::uint64_t code_of_op(const Ops& ops, std::uint32_t op);

// Sorts indices of ops into the order of Ops.
void sort_by_start(const Ops& ops, std::vector<std::uint32_t>& order);

// Returns the elements of a column at the indices `order`.
template <class T>
std::vector<T> gathered(const std::vector<T>& column, const std::vector<std::uint32_t>& order) {
  std::vector<T> result;
  result.reserve(order.size());
  for (const std::uint32_t from : order) result.push_back(column[from]);
  return result;
}

// Empties a column and frees its memory. An assignment of {} would keep the memory.
template <class T>
void release(std::vector<T>& column) {
  std::vector<T>().swap(column);
}

}  // namespace lapscope::analyzer
