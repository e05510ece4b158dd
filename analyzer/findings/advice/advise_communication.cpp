#include <cmath>

#include "analyzer/findings/advice/steps.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Whether most of what else computes is in the streams of the communication.
bool in_stream_of_kernels(const AdviceInput& in) {
  Ns all = 0;
  Ns in_its_streams = 0;
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
  const Ns hidden = intersect(communication, IntervalSet::union_of(in.use.other_compute)).length();
  const double exposed = share(communication.length() - hidden, in.wall);
  if (exposed < assumed::least_saving) return;
  // As sm-saturated predicts it. A higher priority alone gained no more than runs differ by in
  // nccl-all-reduce high-priority (docs/what-if-accuracy.md).
  const auto all =
      static_cast<double>(in.sources.trace.devices[in.scope.device].limits.multiprocessors);
  const auto count = std::lround(in.use.communication_covers * all);
  advice.push_back({ExposedCommunication{exposed, in_stream_of_kernels(in), count}});
}

}  // namespace lapscope::analyzer
