#include "analyzer/explain/blocked_tasks.h"
#include "analyzer/findings/advice/steps.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

// Finds streams that share hardware queues although CUDA_DEVICE_MAX_CONNECTIONS is already set to
// its maximum.
void advise_queues(const AdviceInput& in, std::vector<Advice>& advice) {
  const auto& settings = in.sources.trace.settings;
  const auto asked = settings.find("CUDA_DEVICE_MAX_CONNECTIONS");
  const std::string most = std::to_string(assumed::most_connections);
  if (asked == settings.end() || asked->second != most || in.is_found(Cause::queue_alias)) return;
  const Recurring recurring(in.sources.trace, in.sources.graph);
  const BlockingTimes blocking_times(in.sources, recurring);
  const Ns waited =
      blocking_times.blocked_by(Cause::queue_alias, in.scope.tasks, in.scope.window).time();
  if (share(waited, in.wall) < assumed::least_saving) return;
  advice.push_back({SharedQueues{share(waited, in.wall), assumed::most_connections}});
}

}  // namespace lapscope::analyzer
