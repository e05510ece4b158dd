#include <fmt/format.h>

#include <cmath>

#include "analyzer/findings/advice/steps.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Whether most of what else computes is in the streams of the communication.
bool in_stream_of_kernels(const AdviceInput& in) {
  std::int64_t all = 0;
  std::int64_t in_its_streams = 0;
  for (const auto& [stream, ns] : in.use.other_compute_ns) {
    all += ns;
    if (in.use.communicating_streams.count(stream) > 0) in_its_streams += ns;
  }
  return share(in_its_streams, all) >= assumed::majority;
}

}  // namespace

void advise_communication(const AdviceInput& in, std::vector<Advice>& advice) {
  if (in.use.communication.empty() || in.use.other_compute.empty()) return;
  if (in.is_found(Cause::sm_saturated) || in.is_found(Cause::stream_order)) return;
  const IntervalSet communication = IntervalSet::union_of(in.use.communication);
  const std::int64_t hidden =
      intersect(communication, IntervalSet::union_of(in.use.other_compute)).length();
  const double exposed = share(communication.length() - hidden, in.wall);
  if (exposed < assumed::least_saving) return;
  const std::string_view why =
      in_stream_of_kernels(in)
          ? "If its data is ready earlier, issue it then, into a stream of its own, as "
            "DistributedDataParallel does with gradients. As it is, it waits in its stream for all "
            "kernels ahead of it."
          : "It waits for data, or for room.";
  // As sm-saturated predicts it. A higher priority alone gained no more than runs differ by in
  // nccl-all-reduce high-priority (docs/what-if-accuracy.md).
  const auto all =
      static_cast<double>(in.sources.trace.devices[in.scope.device].limits.multiprocessors);
  const auto count = std::lround(in.use.communication_covers * all);
  advice.push_back(
      {"communication",
       fmt::format("Communication takes {:.1f} % of the time with no other kernel beside it. {} "
                   "Kernels that are to run beside it should leave it the {}multiprocessors "
                   "that it runs on.",
                   100 * exposed, why, count > 0 ? std::to_string(count) + " " : "")});
}

}  // namespace lapscope::analyzer
