#include "analyzer/findings/predict.h"

#include "analyzer/findings/fix_at_place.h"
#include "analyzer/fixes/edit.h"
#include "analyzer/model/name_pattern.h"
#include "analyzer/replay/replay.h"

namespace lapscope::analyzer {

Graph with_fixes(const Sources& sources, const std::vector<FixRequest>& requests) {
  Graph changed = sources.graph;
  for (const FixRequest& request : requests) {
    // What the next fix is to find is what is left after this one.
    if (&request != &requests.front()) changed = rebased(changed, replay(changed));
    if (!request.fix) {
      scale_engine(request.engine, request.value, changed);
      continue;
    }
    if (request.site.empty()) {
      request.fix->apply(sources.trace, request.value, changed);
      continue;
    }
    const Graph before = changed;
    request.fix->apply(sources.trace, request.value, changed);
    const auto is_site = [&request](const CodePlace& place) {
      return fits_pattern(label_of(place), request.site);
    };
    if (!keep_at({sources.trace, sources.host, before}, request.fix->cause, is_site, changed)) {
      throw NothingAtSite(request);
    }
  }
  return changed;
}

Prediction predict(const GraphScope& scope, const Replayed& replayed) {
  Prediction prediction;
  prediction.wall_ns = wall_of(scope, replayed);
  const std::int64_t sum = sum_of(scope, replayed);
  if (sum > 0) {
    prediction.overlap_ratio =
        1 - static_cast<double>(prediction.wall_ns) / static_cast<double>(sum);
  }
  return prediction;
}

}  // namespace lapscope::analyzer
