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
  const Fix* then = nullptr;  // for a cause that delays tasks after the first fix
  // The predicted wall time of each scope after both fixes, with the upper bounds of the kernels'
  // demands (Sharing::most).
  std::vector<Ns> walls;
  std::vector<FixRequest> requests = {};  // both
};

// Tries pairs of fixes for scopes in which no single fix saves enough. Needs at most six replays
// for all scopes together:
// - First fixes: the two fixes whose causes delayed the scopes' tasks longest.
// - Second fixes, after each first fix: the two fixes whose causes then delay the tasks longest.
//
// If `independence` is set, fixes are made only where it shows that the data allow them. If it is
// null, fixes are made everywhere, but a pair is tried only if one of its fixes requires
// independent ops. `progress` may be null. Progress::expected must include most_steps_ahead().
// Unneeded steps are subtracted from it.
std::vector<FixPair> look_ahead(const Predictor& predictor,
                                const std::vector<const GraphScope*>& scopes,
                                const Independence* independence, Progress* progress);
std::int64_t most_steps_ahead();

}  // namespace lapscope::analyzer
