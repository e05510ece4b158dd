#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

// What runs on a machine: tasks, and the calls of its host threads. Tasks go by their index.
namespace lapscope::analyzer {

inline constexpr Ns never = std::numeric_limits<Ns>::min();

// What a task needs of a machine.
struct Needs {
  std::uint32_t stream = 0;           // in Workload::streams
  std::uint32_t geometry = no_index;  // in MachineParameters::uses: the room that a kernel takes
  std::uint32_t kernel_class = no_index;  // in MachineParameters::demands; no_index: no kernel
  std::uint32_t rank = no_index;  // in Workload::ranks: of a collective's kernel; or no_index
  std::uint16_t device = 0;       // in Trace::devices
  Engine engine = Engine::compute;

  friend bool operator==(const Needs&, const Needs&) = default;
};

// How long a task takes on it, as a run showed.
struct Lengths {
  Ns work = 0;  // what it takes when its engine is its own
  // For a kernel that others slowed down: what `work` is rounded by.
  double work_rest = 0;
  // For a kernel: how long before its end all its blocks had room.
  Ns all_resident = 0;
  // For a kernel: how long before its end others were seen to find room, whatever it takes; and how
  // much of its work that is.
  Ns last_wave_overlap = 0;
  double last_wave_work = 0;
  // For a kernel: another one waited for its room, so that last_wave_overlap is all that it left.
  bool is_room_seen = false;

  friend bool operator==(const Lengths&, const Lengths&) = default;
};

// What a call asks of its host thread.
struct CallLoad {
  Ns call_overhead = 0;          // what it takes when it need not wait
  Ns return_latency = 0;         // from the end of what it waited for to its own
  std::uint32_t wait_count = 0;  // tasks that it waits for

  friend bool operator==(const CallLoad&, const CallLoad&) = default;
};

// The parts that those in a vector have of what they are derived from. Refers to the vector.
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

// The kernel of one device in a collective. It spins until those of all devices run, so that how
// long it takes depends on when they start.
//
//   device 0  AAAAAAAAAA..      A and B are one collective: A has work to do from 4 on only. If
//   device 1  ....BBBBBBB.      both started together, each would take as long as B
//
// Lengths::work is what it takes when it is the last to start.
struct Rank {
  std::uint32_t task = 0;
  std::uint32_t collective = 0;  // in Workload::collectives
  // From the start of the last of the ranks to its own end at least, in ns. One that started early
  // has sent what it had, and ends a little before the last one.
  Ns after_last = 0;

  friend bool operator==(const Rank&, const Rank&) = default;
};

// Workload::ranks [first, first + count), one of each device that takes part.
struct CollectiveRanks {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  Ns work = 0;  // from the last start to that rank's end
};

// All of it. Refers to what it is made of.
struct Workload {
  PartsOf<Needs> tasks;
  const std::vector<Lengths>& lengths;  // by task
  PartsOf<CallLoad> calls;
  const std::vector<GraphStream>& streams;
  const std::vector<Rank>& ranks;  // collective by collective
  const std::vector<CollectiveRanks>& collectives;
};

}  // namespace lapscope::analyzer
