#include "analyzer/machine/machine.h"

#include "analyzer/machine/copy_engines.h"
#include "analyzer/machine/host_threads.h"
#include "analyzer/machine/multiprocessors.h"

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

}  // namespace

// The order of resources(): the multiprocessors of each device, the copy engines of each device,
// one resource for host functions, and one for calls.
Machine::Machine(const MachineParameters& machine, const Workload& work, Delays& delays)
    : machine_(machine),
      unlimited_(static_cast<std::uint16_t>(2 * machine.traits.size())),
      collectives_(work) {
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

Machine::~Machine() = default;

std::uint16_t Machine::of_op(const Needs& op) const {
  if (machine_.traits[op.device].is_exclusive(op.engine)) {
    return static_cast<std::uint16_t>(machine_.traits.size() + op.device);
  }
  return op.engine == Engine::compute ? op.device : unlimited_;
}

}  // namespace lapscope::analyzer
