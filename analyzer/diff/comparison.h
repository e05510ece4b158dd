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

// What differs between two sides of a comparison, each of them one run or repeats of one program.
namespace lapscope::analyzer {

struct MeasureChange {
  const Measure* measure = nullptr;
  FigureChange figure;
};

// Time by code: of gaps, or along the critical path.
struct TimeChange {
  std::string code;
  FigureChange ns;
};

// A finding that is on one side only, or on both.
struct FindingChange {
  std::string code;
  std::string what;
  Share before_share = 0;  // of the wall time that its fix would save; 0 when it is not there
  Share after_share = 0;
  std::string explanation;  // of the side that has it, the later one if both do
  std::string fix;
  // The line of the first call site on each side; absent where the finding is not there, or no line
  // is known.
  std::optional<SourcePlace> at_before = {};
  std::optional<SourcePlace> at_after = {};
};

struct KernelChange {
  std::string name;
  FigureChange ops;
  FigureChange mean_ns;  // duration of one
  FigureChange sum_ns;
  FigureChange shared;  // share of its time beside other work
};

// One of several launches of a kernel in an instance of a range or loop.
struct LaunchChange {
  std::string name;
  std::size_t nth = 0;  // launch of this kernel, from 1, on the later side
  std::size_t of = 0;
  std::size_t nth_before = 0;
  std::size_t of_before = 0;
  FigureChange ns;
};

// The same work on both sides.
struct WorkChange {
  std::string name;                     // "device 0, range 'train_step'"
  std::vector<MeasureChange> measures;  // those that are defined on a side
  std::vector<TimeChange> gaps;         // most difference first
  std::vector<TimeChange> blame;        // empty unless both sides know causes
  std::vector<TimeChange> host_time;    // by function; empty unless both sides looked at threads
  bool knows_findings = false;          // of both sides
  std::vector<FindingChange> gained;
  std::vector<FindingChange> lost;
  std::vector<FindingChange> kept;
  std::vector<KernelChange> kernels;  // of either side, most difference in time first
  // Launches that became quicker or slower while others of their kernel did not: see
  // match_launches.h.
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
  Remark trouble;  // why nothing can be concluded; empty when it can
  // What is compared by default, as the first runs have it: SteadyWords::scope, "" for the whole
  // run. None where something was named.
  std::vector<std::string> default_scopes;
  std::vector<Remark> notes;     // what else differs, and what is on one side only
  bool has_enough_runs = false;  // to separate small differences from noise
  std::vector<WorkChange> works;
};

// Compares runs that are repeats of one program with others that are: the scopes that `asked`
// names, else the default one with all ranges that summaries hold. Work is matched by device and
// range, kernels by name, and their launches by order too. Default scopes that are not alike are
// not compared. At least one run, and at most limits::repeats, on each side.
Comparison compare_runs(std::span<const RunSummary> before, std::span<const RunSummary> after,
                        const Gate& gate = {});

}  // namespace lapscope::analyzer
