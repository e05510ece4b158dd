#pragma once

#include <vector>

#include "analyzer/findings/graph_scope.h"
#include "analyzer/findings/predict.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/progress.h"

namespace lapscope::analyzer {

struct FixPair {
  const Fix* first = nullptr;
  const Fix* then = nullptr;  // for a cause that delays tasks after the first fix
  // The predicted wall time of each scope after both fixes, at Sharing::most.
  std::vector<Ns> walls;
  std::vector<FixRequest> requests = {};  // both
};

// Tries pairs of fixes for scopes in which no single fix saves enough. Takes at most six replays:
// - First fixes: the two fixes whose causes delayed the scopes' tasks longest.
// - Second fixes: for each first fix, the two fixes whose causes delay the tasks longest in the run
//   with this first fix.
//
// With `independence`, fixes are made only where the data allow them. Without `independence`, fixes
// are made everywhere. In this case, a pair is tried only if it has a fix that requires independent
// ops (Fix::where_independent). `progress` may be null. Otherwise, Progress::expected must include
// most_steps_ahead().
std::vector<FixPair> look_ahead(const Predictor& predictor,
                                const std::vector<const GraphScope*>& scopes,
                                const Independence* independence, Progress* progress);
std::int64_t most_steps_ahead();

}  // namespace lapscope::analyzer
