#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/gate/gate.h"
#include "analyzer/gate/remark.h"
#include "analyzer/intervals/units.h"
#include "analyzer/summary/repeats.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

enum class Outcome { passed, waived, failed, inconclusive };

std::string_view name_of(Outcome outcome);

// A part of the reason why a condition failed: a finding, or a saving that is too small for a
// finding (`little`). If there are no findings, it can also be a cause of idle time.
struct Explanation {
  enum class Kind { finding, idle, little };
  Kind kind = Kind::finding;
  std::string code;
  Share share = 0;  // of the wall time: the saving, or the idle time
  // The three fields below are set only for a finding. They come from the summary.
  std::string sentence = {};
  std::string fix = {};
  std::optional<SourcePlace> at = {};  // empty if the line is not known
};

// One condition, evaluated for one scope.
struct Judgement {
  std::string subject;       // "device 0", or "device 0, range 'train_step'"
  std::string scope;         // equal for the same work on other devices and of other ranks
  bool lacks_scope = false;  // the run has no work of the scope that the gate names
  std::string condition;     // "min overlap_ratio"
  Place place;
  Outcome outcome = Outcome::inconclusive;

  MeasureUnit unit = MeasureUnit::ratio;
  Sense sense = Sense::at_least;
  std::optional<Repeats> value;
  std::optional<double> bound;
  bool is_below = false;  // whether a value equal to the bound fails
  // The distance from the bound to the median. Below 0 if the median is on the bad side.
  std::optional<double> margin;
  std::optional<double> baseline;  // the baseline's median, if the bound comes from a baseline

  Remark reason;  // why the condition is inconclusive, or how a waiver applied
  std::optional<Waiver> waiver;
  std::vector<Explanation> because;
};

// A scope of a device that a gate evaluates.
struct JudgedScope {
  std::int64_t device = 0;
  ScopeKind kind = ScopeKind::device;
  std::string range;                  // the name of the NVTX range; empty for a whole device
  bool is_default = false;            // whether the scope is the default scope
  std::optional<SteadyState> steady;  // empty if the scope is not a steady state
  SteadyWords words = {};             // the names of the steady state
};

struct JudgedGate {
  std::string name;
  Place place;
  std::vector<std::string> files;
  std::string baseline;  // the file of the baseline; may be empty
  std::vector<JudgedScope> scopes;
  std::vector<Remark> notes;  // for the user; they change no outcome
  std::vector<Judgement> judgements;
};

struct GateReport {
  std::string tool_version;
  std::vector<JudgedGate> gates;
};

struct OutcomeCounts {
  int passed = 0;
  int waived = 0;
  int failed = 0;
  int inconclusive = 0;
  int all() const { return passed + waived + failed + inconclusive; }
};

OutcomeCounts counts_of(std::span<const Judgement> judgements);
OutcomeCounts counts_of(const GateReport& report);

// Returns the verdict on all judgements. It is the first outcome of this list that applies:
// - `failed`: a condition failed.
// - `inconclusive`: a condition is inconclusive, or a gate evaluated nothing.
// - `passed`: all conditions passed or are waived.
Outcome verdict_of(const GateReport& report);

// Returns at most three reasons: the findings that save most. If there are no findings, returns the
// causes of most idle time.
std::vector<Explanation> explain(const ScopeSummary& scope);

// Returns the findings of one cause, at most three. If there are none, returns an explanation of
// the kind `little` with the saving of the cause's fix.
std::vector<Explanation> explain(const ScopeSummary& scope, Cause cause);

}  // namespace lapscope::analyzer
