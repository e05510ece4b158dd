#pragma once

#include <vector>

#include "analyzer/findings/graph_scope.h"
#include "analyzer/findings/predict.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/progress.h"

namespace lapscope::analyzer {

// Two fixes made one after the other.
struct FixPair {
  const Fix* first = nullptr;
  const Fix* then = nullptr;  // for what is in the way after the first
  // By scope, with all that kernels may share: after both, and after the first alone.
  std::vector<Ns> walls;
  std::vector<Ns> walls_of_first;
  std::vector<FixRequest> requests = {};  // both
};

// Tries pairs of fixes where no fix brings enough by itself: the two whose causes delayed the
// scopes' tasks longest, each with the two that matter most after it. Takes six replays at most,
// however many scopes there are. Given `shown`, fixes are made where the trace shows that the data
// allow it, else only those pairs are tried in which one fix needs that to be shown. `progress`,
// which may be null, gets most_steps_ahead() minus the steps that are left out.
std::vector<FixPair> look_ahead(const Predictor& predictor,
                                const std::vector<const GraphScope*>& scopes,
                                const Independence* independence, Progress* progress);
std::int64_t most_steps_ahead();

}  // namespace lapscope::analyzer
