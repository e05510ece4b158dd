#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "analyzer/machine/sm_use.h"
#include "analyzer/measures/demand.h"
#include "analyzer/model/trace.h"

// What a machine has to know: of the tasks that run on it, of the calls of its host threads, and of
// itself. Tasks go by their index.
namespace lapscope::analyzer {

inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();

// What a task asks of a machine.
struct Load {
  std::int64_t work = 0;  // ns that it takes when its engine is its own
  // Of a kernel that others slowed down: what `work` is rounded by.
  double work_rest = 0;
  // Of a kernel: so long before its end all its blocks had room, as recorded or replayed.
  std::int64_t lasted = 0;
  // Of a kernel: so long before its end others were seen to find room, whatever it takes; and how
  // much of its work that is.
  std::int64_t lets_in = 0;
  double lets_in_work = 0;
  std::uint32_t stream = 0;               // in Parameters::streams
  std::uint32_t geometry = no_index;      // in Parameters::uses: the room that a kernel takes
  std::uint32_t kernel_class = no_index;  // in Parameters::demands; no_index of what is no kernel
  std::uint32_t rank = no_index;  // in Parameters::ranks: of a collective's kernel; or no_index
  std::uint16_t device = 0;       // in Trace::devices
  Engine engine = Engine::compute;
  // Of a kernel: another one waited for its room, so that lets_in is all that it left.
  bool is_room_seen = false;

  friend bool operator==(const Load&, const Load&) = default;
};

// What a call asks of its host thread.
struct CallLoad {
  std::int64_t busy = 0;         // what it takes when it need not wait
  std::int64_t tail = 0;         // from the end of what it waited for to its own
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
using Loads = PartsOf<Load>;

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
// Load::work is what it takes when it is the last to start.
struct Rank {
  std::uint32_t task = 0;
  std::uint32_t collective = 0;  // in Parameters::collectives
  // From the start of the last of the ranks to its own end at least, in ns. One that started early
  // has sent what it had, and ends a little before the last one.
  std::int64_t after_last = 0;

  friend bool operator==(const Rank&, const Rank&) = default;
};

// Parameters::ranks [first, first + count), one of each device that takes part.
struct CollectiveRanks {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// Two kernels of which one started with some of its blocks only, because of the other.
struct Crowding {
  std::uint32_t kernel = 0;  // of the tasks
  std::uint32_t holder = 0;
};

// What one device's engines do to each other.
struct EngineTraits {
  // By engine: two of its ops never run together. An engine that was seen to run several is taken
  // to have room for all.
  std::array<bool, all_engines.size()> exclusive{};
  // How fast copies between host and device go while both directions run, 1 when alone.
  double both_directions = 1;
  // Copies to the host wait for those to the device, and these for them: one engine does both.
  bool one_copy_engine = false;

  bool is_exclusive(Engine engine) const { return exclusive[static_cast<std::size_t>(engine)]; }
  // How fast an op goes, beside what the link carries the other way.
  double rate(Engine engine, bool is_beside) const {
    const bool is_of_link = engine == Engine::h2d || engine == Engine::d2h;
    return is_beside && is_of_link ? both_directions : 1.0;
  }
  // The engine that an op occupies.
  Engine occupied_by(Engine engine) const {
    return one_copy_engine && engine == Engine::d2h ? Engine::h2d : engine;
  }
};

// What a machine is taken to be, as far as a trace tells.
struct Parameters {
  std::vector<GraphStream> streams;
  std::vector<SmUse> uses;
  std::vector<Demand> demands;  // by class of kernels, device by device
  Sharing sharing = Sharing::least;
  std::vector<Rank> ranks;  // collective by collective
  std::vector<CollectiveRanks> collectives;
  std::vector<EngineTraits> traits;  // by device in the trace
};

// What the task takes of its device's throughput while it runs with all its blocks; of what is no
// kernel nothing. At the end that `sharing` is at.
inline double demand_of(const Parameters& machine, const Load& task) {
  if (task.kernel_class == no_index) return 0;
  const Demand& demand = machine.demands[task.kernel_class];
  return machine.sharing == Sharing::least ? demand.least : demand.most;
}
// By how much less it may take.
inline double doubt_of(const Parameters& machine, const Load& task) {
  if (task.kernel_class == no_index) return 0;
  const Demand& demand = machine.demands[task.kernel_class];
  return demand.most - demand.least;
}

}  // namespace lapscope::analyzer
