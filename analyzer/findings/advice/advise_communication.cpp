#include <algorithm>

#include "analyzer/findings/advice/steps.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Whether most compute work is in streams that also communicate.
bool in_stream_of_kernels(const AdviceInput& in) {
  Ns all = 0;
  Ns in_its_streams = 0;
  for (const auto& [stream, ns] : in.use.compute_of_stream) {
    all += ns;
    if (in.use.communicating_streams.count(stream) > 0) in_its_streams += ns;
  }
  return portion(in_its_streams, all) >= assumed::majority;
}

}  // namespace

void advise_communication(const AdviceInput& in, std::vector<Advice>& advice) {
  if (in.is_found(Cause::sm_saturated) || in.is_found(Cause::stream_order)) return;
  const IntervalSet communication = busy_with(in, std::array{Engine::communication});
  const Ns hidden = intersect(communication, busy_with(in, std::array{Engine::compute})).length();
  const double exposed = portion(communication.length() - hidden, in.wall);
  if (exposed < assumed::least_saving) return;
  const double waiting = std::max(0.0, exposed - portion(in.use.transfers_ns, in.wall));
  // `most_waiting` assumes that the links carried data during all of the hidden communication. The
  // remaining data takes the time `needed`. The rest of the exposed communication is waiting.
  const double needed = std::max(0.0, in.use.links_ns - static_cast<double>(hidden));
  const double most_waiting = std::max(waiting, exposed - needed / static_cast<double>(in.wall));
  advice.push_back(
      {ExposedCommunication{exposed, in_stream_of_kernels(in), waiting, most_waiting}});
}

}  // namespace lapscope::analyzer
