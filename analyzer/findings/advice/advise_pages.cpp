#include "analyzer/findings/advice/steps.h"
#include "analyzer/findings/page_waits.h"

namespace lapscope::analyzer {

// Kernels that wait for pages of managed memory take long, but not because of their own work.
bool advise_prefetch(const AdviceInput& in, std::vector<Advice>& advice) {
  auto waits = kernel_page_waits(in.sources, in.scope);
  if (!waits) return false;
  advice.push_back({std::move(*waits), true});
  return true;
}

void advise_host_prefetch(const AdviceInput& in, std::vector<Advice>& advice) {
  auto waits = host_page_waits(in.sources, in.scope);
  if (waits) advice.push_back({std::move(*waits)});
}

}  // namespace lapscope::analyzer
