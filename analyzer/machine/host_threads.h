#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/resource.h"
#include "analyzer/machine/workload.h"

namespace lapscope::analyzer {

// Host threads: a call begins when it may, and ends once it has done its part and what it waits for
// has ended. When that is, is known as soon as all those have. Refers to what it is given.
class HostThreads : public Resource {
 public:
  // `first`: the index of the first call.
  HostThreads(PartsOf<CallLoad> calls, std::uint32_t first);

  bool admit(std::uint32_t, Ns) override { return true; }
  void start(std::uint32_t call, Ns now) override;
  bool leave(const Event&) override { return true; }
  void end_wait(std::uint32_t call, Ns end) override;

 private:
  struct State {
    Ns begun = never;
    Ns until = never;         // the end of what it waits for, as far as is known
    std::uint32_t waits = 0;  // tasks that have not ended
  };
  void end(std::uint32_t call);

  PartsOf<CallLoad> calls_;
  std::uint32_t first_;
  std::vector<State> states_;
};

}  // namespace lapscope::analyzer
