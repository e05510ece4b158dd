#include "analyzer/findings/advice/steps.h"
#include "analyzer/findings/page_waits.h"

namespace lapscope::analyzer {

// Kernels that wait for pages of managed memory are long, and none of their own making.
bool advise_prefetch(const AdviceInput& in, std::vector<Advice>& advice) {
  const auto waits = kernel_page_waits(in.sources, in.scope);
  if (!waits) return false;
  advice.push_back({"managed-memory",
                    *waits +
                        " Move the data before the launch (cudaMemPrefetchAsync), or keep it in "
                        "memory of cudaMalloc.",
                    true});
  return true;
}

void advise_host_prefetch(const AdviceInput& in, std::vector<Advice>& advice) {
  const auto waits = host_page_waits(in.sources, in.scope);
  if (!waits) return;
  advice.push_back({"host-pages",
                    *waits + " Move results to the host before it reads them (cudaMemPrefetchAsync "
                             "to cudaCpuDeviceId), or copy them to memory of its own."});
}

}  // namespace lapscope::analyzer
