#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

// What runs on a machine: tasks and the calls of host threads. A task is identified by its index.
namespace lapscope::analyzer {

inline constexpr Ns never = std::numeric_limits<Ns>::min();

// What a task needs of a machine.
struct Needs {
  std::uint32_t stream = 0;               // in Workload::streams
  std::uint32_t geometry = no_index;      // in MachineParameters::uses; no_index: no known kernel
  std::uint32_t kernel_class = no_index;  // in MachineParameters::demands; no_index: no kernel
  std::uint32_t rank = no_index;          // in Workload::ranks; no_index: not of a collective
  std::uint16_t device = 0;               // in Trace::devices
  Engine engine = Engine::compute;

  friend bool operator==(const Needs&, const Needs&) = default;
};

// The lengths of a task in ns, from the trace.
struct Lengths {
  Ns work = 0;  // length when nothing else uses its engine
  // `work` is rounded to whole ns. The exact length is work + work_rest. The rest is 0 except for
  // kernels that other kernels slowed down.
  double work_rest = 0;
  // For a kernel: how long it ran with all its blocks.
  Ns all_resident = 0;
  // For a kernel: the time before its end in which other kernels find room. This is the longest
  // recorded time from the start of another kernel to the end of this kernel. Two sorts of other
  // kernels count:
  // - kernels that started although occupancy left no room for them,
  // - kernels that waited for this kernel although occupancy left room for them (KeptOut).
  Ns last_wave_overlap = 0;
  double last_wave_work = 0;  // the part of `work` that the kernel did in this time
  // For a kernel: whether another kernel waited for the room that this kernel occupied. If true,
  // last_wave_overlap includes all room that the last wave of this kernel left.
  bool is_room_seen = false;

  friend bool operator==(const Lengths&, const Lengths&) = default;
};

// How long a call occupies its host thread.
struct CallLoad {
  Ns call_overhead = 0;          // length of the call if it need not wait
  Ns return_latency = 0;         // from the end of the last awaited task to the end of the call
  std::uint32_t wait_count = 0;  // tasks that it waits for

  friend bool operator==(const CallLoad&, const CallLoad&) = default;
};

// A view of the elements of a vector as their base class `Part`. The vector must outlive the view.
template <class Part>
class PartsOf {
 public:
  template <class Whole>
  PartsOf(const std::vector<Whole>& all)
      : first_(reinterpret_cast<const std::byte*>(static_cast<const Part*>(all.data()))),
        stride_(sizeof(Whole)),
        size_(all.size()) {}

  const Part& operator[](std::size_t index) const {
    return *reinterpret_cast<const Part*>(first_ + index * stride_);
  }
  std::size_t size() const { return size_; }

 private:
  const std::byte* first_;
  std::size_t stride_;
  std::size_t size_;
};

struct GraphStream {
  std::uint32_t pid = 0;
  std::uint32_t id = 0;
  std::uint32_t context = 0;
  StreamKind kind = StreamKind::unknown;
  std::int64_t priority = 0;  // lower numbers go first

  friend bool operator==(const GraphStream&, const GraphStream&) = default;
};

// The kernel of one device in a collective. The kernel spins until the kernels of all devices run.
// So its length depends on when the kernels start.
//
//   device 0  AAAAAAAAAA..      A and B are the two kernels of one collective: A spins
//   device 1  ....BBBBBBB.      until B starts. If both start together, each takes as long as B
//
// Lengths::work is the length of the kernel if it is the last to start.
struct Rank {
  std::uint32_t task = 0;
  std::uint32_t collective = 0;  // in Workload::collectives
  // The least time in ns from the start of the last rank to the end of this rank. A rank that
  // started early has already sent its data. So it ends a little before the last rank.
  Ns after_last = 0;

  friend bool operator==(const Rank&, const Rank&) = default;
};

// The ranks of one collective: Workload::ranks [first, first + count), with one rank for each
// device that takes part.
struct CollectiveRanks {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  Ns work = 0;  // from the last start to the end of the rank that started last
};

// All tasks and calls with their streams and collectives. Refers to the vectors that it was made
// from.
struct Workload {
  PartsOf<Needs> tasks;
  const std::vector<Lengths>& lengths;  // by task
  PartsOf<CallLoad> calls;
  const std::vector<GraphStream>& streams;
  const std::vector<Rank>& ranks;  // collective by collective
  const std::vector<CollectiveRanks>& collectives;
};

}  // namespace lapscope::analyzer
