#pragma once

#include <vector>

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/progress.h"

namespace lapscope::analyzer {

struct CauseOptions {
  // A finding must save at least `least_saving` of the wall time, and at least `least_saving_ns`.
  double least_saving = assumed::least_saving;
  Ns least_saving_ns = assumed::start_at_once;
  bool keeps_small_savings = false;  // whether to set CausesResult::small_savings
  // How many places each finding shows. For a finding with several places, replays compute the
  // saving at each place where ops waited long enough.
  std::size_t sites_listed = 5;
  // How many of the longest parts of the critical path are listed one by one.
  std::size_t path_listed = 16;
  // Receives the progress. May be null. Its `expected` must already include steps_of_causes().
  Progress* progress = nullptr;
};

// Returns how many progress steps find_causes() will probably take. find_causes() corrects this
// number in CauseOptions::progress.
std::int64_t steps_of_causes();

// Sets the blame and the critical path of a scope. For `most`, see CauseOptions::path_listed.
void describe_path(const Sources& sources, const GraphScope& scope, std::size_t most,
                   CausesResult& result);

// Returns the blame, findings and replay of scopes of one graph, in the order of `scopes`.
std::vector<CausesResult> find_causes(const Sources& sources, const std::vector<GraphScope>& scopes,
                                      const CauseOptions& options);

}  // namespace lapscope::analyzer
