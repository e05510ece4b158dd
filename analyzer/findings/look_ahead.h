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
  // The predicted wall time of each scope after both fixes, and after the first fix alone. The
  // predictions use the upper bounds of the kernels' demands (Sharing::most).
  std::vector<Ns> walls;
  std::vector<Ns> walls_of_first;
  std::vector<FixRequest> requests = {};  // both
};

// Tries pairs of fixes for scopes where no fix saves enough by itself. Takes at most six replays,
// however many scopes there are:
//  - First fixes: the two fixes whose causes delayed the scopes' tasks longest.
//  - Second fixes, for each first fix. They are the two fixes whose causes delay the tasks longest
//    after the first fix.
//
// If `independence` is not null, fixes are made only where it shows that the data allow them. If it
// is null, fixes are made everywhere. In this case, a pair is tried only if at least one of its
// fixes requires independent ops. `progress` may be null. Progress::expected must include
// most_steps_ahead(). Steps that turn out to be unnecessary are subtracted from it.
std::vector<FixPair> look_ahead(const Predictor& predictor,
                                const std::vector<const GraphScope*>& scopes,
                                const Independence* independence, Progress* progress);
std::int64_t most_steps_ahead();

}  // namespace lapscope::analyzer
