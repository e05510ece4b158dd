#include "analyzer/fixes/defer_syncs.h"

#include <deque>

#include "analyzer/fixes/edit.h"

namespace lapscope::analyzer {
namespace {

struct Waits {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

}  // namespace

void defer_syncs(std::uint32_t by, Graph& graph) {
  for (const ThreadSteps& thread : graph.threads) {
    std::deque<Waits> open;  // of calls whose own turn has come, and which are to be waited for
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      Step& step = graph.steps[s];
      if (step.cause != Cause::host_sync || step.wait_count == 0) continue;
      open.push_back({step.first_wait, step.wait_count});
      make_quick(step, graph.quick_call);
      if (open.size() <= by) continue;
      step.first_wait = open.front().first;
      step.wait_count = open.front().count;
      open.pop_front();
    }
  }
}

}  // namespace lapscope::analyzer
