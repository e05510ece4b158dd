#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/resource.h"
#include "analyzer/machine/workload.h"

namespace lapscope::analyzer {

// The host threads. A call starts as soon as it is ready. It ends at the later of these times:
// - its start plus its overhead,
// - the end of the last task that it waits for, plus the return latency.
//
// The end of a call is announced when all tasks that it waits for have ended. The vector of `calls`
// must outlive this object.
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
    Ns until = never;         // latest end among the awaited tasks that have ended
    std::uint32_t waits = 0;  // number of awaited tasks that have not ended
  };
  void end(std::uint32_t call);

  PartsOf<CallLoad> calls_;
  std::uint32_t first_;
  std::vector<State> states_;
};

}  // namespace lapscope::analyzer
