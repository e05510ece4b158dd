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

// A part of why a condition failed: a finding, or without those what kept the device idle, or what
// is too little for a finding.
struct Explanation {
  enum class Kind { finding, idle, little };
  Kind kind = Kind::finding;
  std::string code;
  Share share = 0;  // of the wall time: that it would save, or that the device was idle for it
  std::string sentence = {};           // of a finding, as the summary has it
  std::string fix = {};                // likewise
  std::optional<SourcePlace> at = {};  // of a finding, where its line is known
};

// One condition, evaluated over one interval of work.
struct Judgement {
  std::string subject;    // "device 0", or "device 0, range 'train_step'"
  std::string condition;  // "min overlap_ratio"
  Place place;
  Outcome outcome = Outcome::inconclusive;

  MeasureUnit unit = MeasureUnit::ratio;
  Sense sense = Sense::at_least;
  std::optional<Repeats> value;
  std::optional<double> bound;
  bool is_below = false;           // the bound itself is no pass
  std::optional<double> margin;    // of the median, towards the good side; below 0 on the bad one
  std::optional<double> baseline;  // the median of it, where the bound comes from one

  Remark reason;  // why it is inconclusive, or what became of a waiver
  std::optional<Waiver> waiver;
  std::vector<Explanation> because;
};

// What a gate evaluates of a device.
struct JudgedScope {
  std::int64_t device = 0;
  ScopeKind kind = ScopeKind::device;
  std::string range;                  // its name; empty for a whole device
  bool is_default = false;            // nothing was named
  std::optional<SteadyState> steady;  // that it is; none for the whole of a device, or a range
  SteadyWords words = {};             // of that
};

struct JudgedGate {
  std::string name;
  Place place;
  std::vector<std::string> files;
  std::string baseline;  // its file; may be empty
  std::vector<JudgedScope> scopes;
  std::vector<Remark> notes;  // what is to be known and changes no outcome
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

// Failed when anything failed; else inconclusive when anything is, or when a gate evaluated
// nothing; else passed: what was waived has passed.
Outcome verdict_of(const GateReport& report);

// What most explains that the scope is as it is: findings, by what they would save; without any,
// what kept the device idle.
std::vector<Explanation> explain(const ScopeSummary& scope);

// Findings of one cause only; without any, what its fix would save.
std::vector<Explanation> explain(const ScopeSummary& scope, Cause cause);

}  // namespace lapscope::analyzer
