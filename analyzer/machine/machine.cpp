#include "analyzer/machine/machine.h"

#include <algorithm>
#include <array>

#include "analyzer/machine/copy_engines.h"
#include "analyzer/machine/multiprocessors.h"
#include "analyzer/machine/observe.h"
#include "analyzer/machine/room_observer.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// A resource that has room for all tasks at once.
class Unlimited : public Resource {
 public:
  explicit Unlimited(const std::vector<Lengths>& lengths) : lengths_(lengths) {}
  bool admit(std::uint32_t, Ns) override { return true; }
  void start(std::uint32_t task, Ns now) override {
    announce({now + lengths_[task].work, EventKind::task_ends, task});
  }
  bool leave(const Event&) override { return true; }

 private:
  const std::vector<Lengths>& lengths_;
};

// The host threads. A call starts as soon as it is ready. It ends at the later of these times:
// - its start plus its overhead,
// - the end of the last task that it waits for, plus the return latency.
//
// The end of a call is announced when all tasks that it waits for have ended.
class HostThreads : public Resource {
 public:
  // `first`: the index of the first call.
  HostThreads(PartsOf<CallLoad> calls, std::uint32_t first)
      : calls_(calls), first_(first), states_(calls.size()) {
    for (std::size_t c = 0; c < calls.size(); ++c) states_[c].waits = calls[c].wait_count;
  }

  bool admit(std::uint32_t, Ns) override { return true; }
  void start(std::uint32_t call, Ns now) override {
    states_[call - first_].begun = now;
    if (states_[call - first_].waits == 0) end(call);
  }
  bool leave(const Event&) override { return true; }
  void end_wait(std::uint32_t call, Ns end_of_task) override {
    State& state = states_[call - first_];
    state.until = std::max(state.until, end_of_task);
    if (--state.waits == 0 && state.begun != never) end(call);
  }

 private:
  struct State {
    Ns begun = never;
    Ns until = never;         // latest end among the awaited tasks that have ended
    std::uint32_t waits = 0;  // number of awaited tasks that have not ended
  };

  void end(std::uint32_t call) {
    const State& state = states_[call - first_];
    const CallLoad& own = calls_[call - first_];
    Ns end = state.begun + own.call_overhead;
    if (state.until != never) end = std::max(end, state.until + own.return_latency);
    announce({end, EventKind::call_ends, call});
  }

  PartsOf<CallLoad> calls_;
  std::uint32_t first_;
  std::vector<State> states_;
};

// The engines of one device in a recorded run. Each engine runs one task at a time. Tasks start and
// end as recorded. Notes in `seen` which task occupied the engine that another task needed.
//
//   stream 1, to the device  AAAA....
//   stream 2, to the device  ....BBBB    B waits for A, C does not wait
//   stream 3, to the host    ..CCCC..
//
// If one engine copies in both directions, C waits for A as well.
class EngineObserver : public Resource {
 public:
  EngineObserver(const EngineTraits& traits, const Workload& work, const Recorded& recorded,
                 Observation& seen)
      : traits_(traits), work_(work), recorded_(recorded), seen_(seen) {
    last_.fill(no_index);
  }

  bool admit(std::uint32_t, Ns) override { return true; }
  void start(std::uint32_t task, Ns now) override {
    const Engine engine = traits_.occupied_by(work_.tasks[task].engine);
    std::uint32_t& last = last_[static_cast<std::size_t>(engine)];
    const Ns until = last == no_index ? never : recorded_.times[last].end;
    if (last != no_index && until <= now + assumed::clock_tolerance) {
      seen_.blockers[task] = {last, until, Cause::copy_engine};
    }
    const Ns end = recorded_.times[task].end;
    if (until < end) last = task;
    announce({end, EventKind::task_ends, task});
  }
  bool leave(const Event&) override { return true; }

 private:
  const EngineTraits& traits_;
  const Workload work_;
  const Recorded& recorded_;
  Observation& seen_;
  // By engine: the task with the latest end, of the tasks that have started.
  std::array<std::uint32_t, all_engines.size()> last_{};
};

}  // namespace

// The order of resources(): the multiprocessors of each device, the copy engines of each device,
// one resource for host functions, and one for calls.
Machine::Machine(const MachineParameters& machine, const Workload& work, Delays& delays)
    : machine_(machine), collectives_(work) {
  for (std::uint32_t d = 0; d < machine.traits.size(); ++d) {
    auto one = std::make_unique<Multiprocessors>(d, machine, work, delays, collectives_);
    multiprocessors_.push_back(one.get());
    resources_.push_back(std::move(one));
  }
  for (const EngineTraits& traits : machine.traits) {
    resources_.push_back(std::make_unique<CopyEngines>(traits, work, delays));
  }
  resources_.push_back(std::make_unique<Unlimited>(work.lengths));
  const auto first_call = static_cast<std::uint32_t>(work.tasks.size());
  resources_.push_back(std::make_unique<HostThreads>(work.calls, first_call));
}

Machine::Machine(const MachineParameters& machine, const Workload& work, const Recorded& recorded,
                 Observation& seen)
    : machine_(machine), collectives_(work) {
  for (std::size_t d = 0; d < machine.traits.size(); ++d) {
    resources_.push_back(std::make_unique<RoomObserver>(machine, work, recorded, seen));
  }
  for (const EngineTraits& traits : machine.traits) {
    resources_.push_back(std::make_unique<EngineObserver>(traits, work, recorded, seen));
  }
  resources_.push_back(std::make_unique<Unlimited>(work.lengths));
}

Machine::~Machine() = default;

std::uint16_t Machine::of_op(const Needs& op) const {
  if (machine_.traits[op.device].is_exclusive(op.engine)) {
    return static_cast<std::uint16_t>(machine_.traits.size() + op.device);
  }
  return op.engine == Engine::compute ? op.device : unlimited_;
}

}  // namespace lapscope::analyzer
