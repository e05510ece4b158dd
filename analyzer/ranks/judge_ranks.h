#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/verdict.h"
#include "analyzer/intervals/units.h"
#include "analyzer/ranks/match_collectives.h"
#include "analyzer/ranks/rank_clocks.h"
#include "analyzer/ranks/rank_work.h"
#include "analyzer/ranks/waiting.h"

// The ranks of one run, together.
namespace lapscope::analyzer {

// What is wrong with a folder as one run. Each makes every conclusion about it inconclusive.
enum class RunDefect : std::uint8_t {
  several_runs,          // there is no time at which all ranks ran
  rank_twice,            // in several files
  rank_missing,          // of those that the launcher said there are, or below the highest one
  no_clock,              // a file does not say when its session started
  unknown_clock,         // hosts have no collectives with the first one
  contradicted_clock,    // collectives contradict any one offset between hosts
  unmatched_collectives  // more than a few have no counterpart on another rank
};
std::string_view code_of(RunDefect defect);

struct RunDefectRow {
  RunDefect defect = RunDefect::several_runs;
  std::int64_t count = 0;
  std::vector<std::string> which = {};  // ranks
};

// Why a rank is late: what it does longer than the others do on average, where that is most of what
// it is late by; else ranks are late by turns.
enum class LateBy : std::uint8_t { computing, idle, turns };
std::string_view name_of(LateBy by);

struct RankResult {
  std::string name;  // its rank, else its file; with the device where a process has several
  std::string file;
  std::string host;
  std::int64_t device = 0;
  std::string device_name;
  RankTime time;
  Lateness late;
};

// Stable codes: "straggler", "small-collectives", "exposed-communication".
enum class RunCause : std::uint8_t { straggler, small_collectives, exposed_communication };
std::string_view code_of(RunCause cause);

struct RunFinding {
  RunCause cause = RunCause::straggler;
  // Of the window, at most; `saving` is without what recording may have added to it. Savings of
  // different causes do not add up.
  Ns saving = 0;
  Ns most_saving = 0;
  std::int64_t count = 0;  // collectives
  std::uint32_t rank = 0;  // of a straggler, in RunResult::ranks
  LateBy late_by = LateBy::idle;
  Ns excess = 0;  // by which it does that longer than the others do on average
};

struct RunResult {
  Interval window;         // on the ranks' clock
  bool is_steady = false;  // the part that all ranks' steady states share; else all of the run
  std::vector<RankResult> ranks;
  std::int64_t collectives = 0;  // matched, that begin in the window
  std::int64_t others = 0;       // communication kernels that need not join all ranks, in the run
  Ns clock_error = 0;
  std::vector<RunDefectRow> defects;
  std::vector<RunFinding> findings;   // most saving first
  std::vector<RunFinding> questions;  // whose data may not allow it
};

// At least one rank. Findings are those that save assumed::least_saving or more.
RunResult judge_ranks(std::vector<RankWork> ranks);

// What a screen is about first: of findings and questions the one that saves most. Null without
// any.
const RunFinding* first_of(const RunResult& run);

// `inconclusive` with any defect, or where a report is; findings or possible by what is in it.
Verdict verdict_of(const RunResult& run, std::span<const Report> reports);

}  // namespace lapscope::analyzer
