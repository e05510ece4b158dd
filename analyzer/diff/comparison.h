#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/diff/figure_change.h"
#include "analyzer/gate/gate.h"
#include "analyzer/gate/remark.h"
#include "analyzer/intervals/units.h"
#include "analyzer/summary/summary.h"

// The differences between two sides of a comparison. Each side is one run, or repeats of one
// program.
namespace lapscope::analyzer {

struct MeasureChange {
  const Measure* measure = nullptr;
  FigureChange figure;
};

// The difference of a time between the two sides. The time belongs to a cause (in gaps, or along
// the critical path), to an engine (along the critical path), or to a host function.
struct TimeChange {
  std::string code;
  FigureChange ns;
};

struct FindingChange {
  std::string code;
  std::string what;
  Share before_share = 0;  // share of the wall time that the fix would save; 0 if not found
  Share after_share = 0;
  std::string explanation;  // from the later side if it has the finding, else from the earlier
  std::string fix;
  // The line of the first call site. Absent if a side lacks the finding, or if no line is known.
  std::optional<SourcePlace> at_before = {};
  std::optional<SourcePlace> at_after = {};
  // False if the model check of a run is `useless`. If a side lacks the finding, the runs of this
  // side are not considered.
  bool is_saving_known = true;
};

struct KernelChange {
  std::string name;
  FigureChange ops;
  FigureChange mean_ns;  // duration of one launch
  FigureChange sum_ns;
  FigureChange shared;  // the share of the kernel's time in which other work also runs
};

// One of several launches of a kernel in an instance of a range or loop.
struct LaunchChange {
  std::string name;
  std::size_t nth = 0;         // on the later side: the number of the launch, from 1
  std::size_t of = 0;          // on the later side: the number of launches of the kernel
  std::size_t nth_before = 0;  // as nth, on the earlier side
  std::size_t of_before = 0;   // as of, on the earlier side
  FigureChange ns;
};

// The same work on both sides.
struct WorkChange {
  std::string name;                     // "device 0, range 'train_step'"
  std::vector<MeasureChange> measures;  // the measures that at least one side defines
  std::vector<TimeChange> gaps;         // most difference first
  std::vector<TimeChange> blame;        // empty unless both sides know causes
  std::vector<TimeChange> host_time;    // by function; empty unless both sides have samples
  bool knows_findings = false;          // whether both sides know causes
  std::vector<FindingChange> gained;
  std::vector<FindingChange> lost;
  std::vector<FindingChange> kept;
  std::vector<KernelChange> kernels;  // of either side, most difference in time first
  // Launches that became faster or slower, although other launches of the same kernel did not
  // change in the same way. See compare_launches().
  std::vector<LaunchChange> launches;  // most difference first
};

struct ComparedSide {
  std::vector<std::string> files;
  std::size_t runs = 0;
  std::string command;
};

struct Comparison {
  std::string tool_version;
  ComparedSide before;
  ComparedSide after;
  Remark trouble;  // why nothing can be concluded; empty if a conclusion is possible
  // The default scopes that are compared, as the first run describes them (SteadyWords::scope). The
  // description of the whole run is "". The vector is empty if the user named scopes.
  std::vector<std::string> default_scopes;
  std::vector<Remark> notes;     // other differences, and work that only one side has
  bool has_enough_runs = false;  // enough runs to distinguish small differences from noise
  std::vector<WorkChange> works;
};

// Compares two sides. Each side has 1 to limits::repeats runs of one program. Compares the scopes
// that `gate` names. If it names none, compares the default scope and all ranges of the summaries.
// Default scopes of different kinds are not compared. Two scopes match if device and range are the
// same. Kernels match by name, and launches of one kernel by order.
Comparison compare_runs(std::span<const RunSummary> before, std::span<const RunSummary> after,
                        const Gate& gate = {});

}  // namespace lapscope::analyzer
