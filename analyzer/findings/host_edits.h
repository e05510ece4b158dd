#pragma once

#include <map>
#include <optional>
#include <string>

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"
#include "analyzer/findings/prompt_run.h"
#include "analyzer/graph/edits.h"
#include "analyzer/host_time/host_time.h"
#include "analyzer/intervals/units.h"

// What people do about work of the host between its calls, by its kind, and what a scope takes
// then.
namespace lapscope::analyzer {

enum class HostEdit : std::uint8_t {
  leave_out,        // it is not done, or hardly ever: the wait, the collection, the logging
  one_elsewhere,    // another thread or process does it ahead: it takes no less time there
  many_elsewhere,   // as many processes as there are processors left do it ahead
  twice_as_many,    // as many processes again do what is waited for
  launch_as_graph,  // what it issues is nodes of graphs
};
HostEdit edit_for(HostKind kind);

// Which part of the time before the calls at each line belongs to a kind or function: from 0 to 1.
using SharesByLine = std::map<std::string, double, std::less<>>;

struct HostWorkAt {
  HostKind kind = HostKind::unknown;
  SharesByLine shares;
  Ns ns = 0;  // of the scope's time
};

// Predicts scopes in which such an edit is made. Refers to what it is given.
class HostEdits {
 public:
  HostEdits(const Sources& program, const GraphScope& scope);

  // The edit takes its part of what host_work_elsewhere takes off before each call, and of the
  // calls that issue it all but the first of a graph. Work that goes on elsewhere has the scope
  // take no less than that takes; on how many processors, TraceFacts says. `wall_ns`: of the
  // unchanged run, as replayed. Nothing where the edit changes nothing. Several may ask at once.
  std::optional<Prediction> predict(const HostWorkAt& work, Ns wall_ns) const;

 private:
  Edits partly(const SharesByLine& shares) const;
  Ns least_wall(const HostWorkAt& work, Ns wall_ns) const;

  const Sources& program_;
  const GraphScope& scope_;
  Edits all_;
  Promptly promptly_;
};

}  // namespace lapscope::analyzer
