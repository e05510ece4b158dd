#pragma once

#include <map>
#include <optional>
#include <string>

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/findings/graph_scope.h"
#include "analyzer/findings/prompt_run.h"
#include "analyzer/graph/edits.h"
#include "analyzer/host_time/host_time.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// A HostEdit is the usual way to reduce one kind of host work between calls. HostEdits predicts how
// long a scope takes after such an edit of the program.
enum class HostEdit : std::uint8_t {
  leave_out,        // the work is never or hardly ever done: a wait, a collection, logging
  one_elsewhere,    // one other thread does the work ahead, in the same time, or several share it
  many_elsewhere,   // one process on each remaining processor does the work ahead
  half_the_wait,    // the work that the thread waits for takes half as long: twice as many workers
  launch_as_graph,  // the ops that the work issues become nodes of CUDA graphs
};
HostEdit edit_for(HostKind kind);

// Fractions, from 0 to 1, by source line.
using SharesByLine = std::map<std::string, double, std::less<>>;

// Host work of one kind, or of one function.
struct HostWorkAt {
  HostKind kind = HostKind::unknown;
  SharesByLine shares;  // how much of the host's time before a line's calls the work takes
  Ns ns = 0;            // time of the work in the scope
  // How many of a line's calls the work makes. Used by HostEdit::launch_as_graph.
  SharesByLine calls = {};
};

// Predicts a scope's run with a HostEdit. Holds references to its arguments.
class HostEdits {
 public:
  HostEdits(const Sources& program, const GraphScope& scope);

  // Returns the prediction for an edit; nullopt if the edit changes nothing. `wall_ns` is the wall
  // time of the unchanged run, as replayed. Several threads may call predict() at once.
  //
  // The edit removes the host time that is spent on `work`. HostEdit::launch_as_graph also puts the
  // calls that the work made into graphs.
  //
  // If the edit gives the work to other threads or processes, the scope takes at least as long as
  // this work takes there. All processors but one (TraceFacts::processors) can share the work:
  // - HostEdit::one_elsewhere: one thread does the work at the longer end of the prediction. All
  //   these processors share the work at the shorter end (Doubt::threads).
  // - HostEdit::many_elsewhere: all these processors share the work.
  // - HostEdit::half_the_wait: the work takes half of `wall_ns`.
  std::optional<Prediction> predict(const HostWorkAt& work, Ns wall_ns) const;

 private:
  Edits partly(const SharesByLine& shares) const;
  Ns least_wall(const HostWorkAt& work, Ns wall_ns) const;
  Ns shared_by_processors(Ns work_ns) const;

  const Sources& program_;
  const GraphScope& scope_;
  Edits all_;
  Promptly promptly_;
};

// Sets FindingResult::host_work of the findings and questions about host work between calls. For
// each kind of work and each function of a finding, predicts the saving of the matching edit
// (HostEdit). The largest saving of a kind becomes the saving of the finding if two conditions
// hold: this saving is enough for a finding, and most of the host's time is in known functions.
// Sorts the findings by saving.
void name_host_work(const Sources& sources, const GraphScope& scope, const HostActivity& time,
                    const CauseOptions& options, CausesResult& result);

}  // namespace lapscope::analyzer
