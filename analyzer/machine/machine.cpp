#include "analyzer/machine/machine.h"

#include "analyzer/machine/copy_engines.h"
#include "analyzer/machine/host_threads.h"
#include "analyzer/machine/multiprocessors.h"

namespace lapscope::analyzer {
namespace {

// What there is enough of for all.
class Unlimited : public Resource {
 public:
  explicit Unlimited(Loads loads) : loads_(loads) {}
  bool admit(std::uint32_t, std::int64_t) override { return true; }
  void start(std::uint32_t task, std::int64_t now) override {
    announce({now + loads_[task].work, EventKind::task_ends, task});
  }
  bool leave(const Event&) override { return true; }

 private:
  Loads loads_;
};

}  // namespace

// Multiprocessors of all devices, then copy engines, then what of_host_function() and of_call()
// say.
Machine::Machine(const Parameters& machine, Loads loads, PartsOf<CallLoad> calls, Delays& delays)
    : machine_(machine),
      unlimited_(static_cast<std::uint16_t>(2 * machine.traits.size())),
      collectives_(machine, loads) {
  for (std::uint32_t d = 0; d < machine.traits.size(); ++d) {
    auto one = std::make_unique<Multiprocessors>(d, machine, loads, delays, collectives_);
    multiprocessors_.push_back(one.get());
    resources_.push_back(std::move(one));
  }
  for (const EngineTraits& traits : machine.traits) {
    resources_.push_back(std::make_unique<CopyEngines>(traits, loads, delays));
  }
  resources_.push_back(std::make_unique<Unlimited>(loads));
  const auto first_call = static_cast<std::uint32_t>(loads.size());
  resources_.push_back(std::make_unique<HostThreads>(calls, first_call));
}

Machine::~Machine() = default;

std::uint16_t Machine::of_op(const Load& op) const {
  if (machine_.traits[op.device].is_exclusive(op.engine)) {
    return static_cast<std::uint16_t>(machine_.traits.size() + op.device);
  }
  return op.engine == Engine::compute ? op.device : unlimited_;
}

}  // namespace lapscope::analyzer
