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
  // A finding is reported when its fix is predicted to save so much of the wall time at least.
  double least_saving = assumed::least_saving;
  Ns least_saving_ns = assumed::start_at_once;
  // Longest waits and places in the program shown with each finding. Each of several places costs a
  // replay, if its ops waited for as long as a finding must save.
  std::size_t evidence_listed = 3;
  std::size_t sites_listed = 5;
  // Longest parts of the critical path that are listed one by one.
  std::size_t path_listed = 16;
  // Gets the steps of find_causes(), when it expects that many. May be null.
  Progress* progress = nullptr;
};

// How many steps find_causes() takes; it leaves out or adds what turns out otherwise on the way.
std::int64_t steps_of_causes();

// Blame and critical path of a scope.
void describe_path(const Sources& sources, const GraphScope& scope, std::size_t most,
                   CausesResult& result);

// Blame, findings and replay of some scopes of one graph. The order is theirs.
std::vector<CausesResult> find_causes(const Sources& sources, const std::vector<GraphScope>& scopes,
                                      const CauseOptions& options);

}  // namespace lapscope::analyzer
