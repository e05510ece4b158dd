#pragma once

#include <string>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_names.h"
#include "analyzer/findings/scoped.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

struct CauseOptions {
  // A finding is reported when its fix is predicted to save so much of the wall time at least.
  double least_saving = assumed::least_saving;
  std::int64_t least_saving_ns = assumed::least_saving_ns;
  // Longest waits and places in the program shown with each finding. Each of several places costs a
  // replay, if its ops waited for as long as a finding must save.
  std::size_t evidence_listed = 3;
  std::size_t sites_listed = 5;
  // Longest parts of the critical path that are told one by one.
  std::size_t path_listed = 16;
};

// A fix as it was asked for: CODE, CODE:VALUE or CODE:site=PLACE, or scale.
struct AskedFix {
  const Fix* fix = nullptr;  // or, when null, `engine` scaled by `value`
  Engine engine = Engine::compute;
  double value = 0;
  // Makes it only at places whose labels fit this pattern (see CodePlace); everywhere when empty.
  std::string site;
};

// The graph with the fixes made, in this order. Throws std::invalid_argument when one changes
// nothing at its site.
Graph fixed(const Sources& sources, const std::vector<AskedFix>& asked);

// What one scope would take with the fixes made.
Prediction predict(const Scoped& scope, const Replayed& replayed);

// Blame, findings and replay of some scopes of one graph. The order is theirs.
std::vector<CausesResult> find_causes(const Sources& sources, const std::vector<Scoped>& scopes,
                                      const CauseOptions& options);

}  // namespace lapscope::analyzer
