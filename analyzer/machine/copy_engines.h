#pragma once

#include <array>
#include <deque>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/machine_parameters.h"
#include "analyzer/machine/resource.h"

namespace lapscope::analyzer {

// The engines of one device that run one task at a time. Each engine runs its tasks in the order in
// which they become ready. Copies to the device and copies to the host slow each other down. The
// constructor's arguments must outlive this object.
class CopyEngines : public Resource {
 public:
  CopyEngines(const EngineTraits& traits, const Workload& work, Delays& delays)
      : traits_(traits), work_(work), delays_(delays) {}

  bool admit(std::uint32_t task, Ns now) override;
  void start(std::uint32_t task, Ns now) override;
  bool leave(const Event& event) override;

 private:
  static std::size_t index(Engine engine) { return static_cast<std::size_t>(engine); }
  struct Running {
    std::uint32_t task = no_index;
    double left = 0;  // remaining work, in ns at full rate
    Ns since = 0;
    Ns ends = 0;  // as last announced
    std::uint32_t version = 0;
  };
  double rate(Engine engine) const;
  void advance(Ns now);
  void announce_ends(Ns now);

  const EngineTraits& traits_;
  const Workload work_;
  Delays& delays_;
  std::array<bool, all_engines.size()> taken_{};
  std::array<std::deque<std::uint32_t>, all_engines.size()> waiting_;
  std::array<Running, all_engines.size()> running_;
};

}  // namespace lapscope::analyzer
