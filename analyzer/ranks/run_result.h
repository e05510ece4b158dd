#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/verdict.h"
#include "analyzer/intervals/units.h"
#include "analyzer/ranks/rank_states.h"
#include "analyzer/ranks/rank_work.h"
#include "analyzer/ranks/waiting.h"

namespace lapscope::analyzer {

// What is wrong with a folder as one run. Each makes every conclusion about it inconclusive.
enum class RunDefect : std::uint8_t {
  several_runs,          // there is no time at which all ranks ran
  different_sizes,       // traces say different numbers of ranks
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
  std::vector<std::string> which = {};  // ranks; of missing ones the first 16
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
  // Collectives that the rank is a member of and that begin in the window, as in RunResult.
  std::int64_t collectives = 0;
  std::int64_t exchanges = 0;
  RankTime time;
  Lateness late;
  Ns offset = 0;                // added to its instants, for the clock of the ranks
  std::vector<RankTime> steps;  // of each step of the run
  std::vector<RankTime> parts;  // of equal parts of the window: see run_parts
  // What was said of the rank alone.
  Trust trust = Trust::sound;
  OwnFinding own;
};

// Equal parts that a window is drawn in.
inline constexpr std::size_t run_parts = 128;

// Stable codes: "straggler", "pipeline-bubble", "small-collectives", "exposed-communication".
enum class RunCause : std::uint8_t {
  straggler,
  pipeline_bubble,
  small_collectives,
  exposed_communication
};
std::string_view code_of(RunCause cause);
std::optional<RunCause> run_cause_of_code(std::string_view code);
// Whether the data may not allow the fix of a cause: then it is a question, not a finding.
bool is_question(RunCause cause);

inline constexpr std::array run_causes = {RunCause::straggler, RunCause::pipeline_bubble,
                                          RunCause::small_collectives,
                                          RunCause::exposed_communication};

struct RunFinding {
  RunCause cause = RunCause::straggler;
  // Part of the window, at most; `saving` is without what recording may have added to it. Savings
  // of different causes do not add up.
  Ns saving = 0;
  Ns most_saving = 0;
  std::int64_t count = 0;  // collectives
  // In RunResult::ranks: a straggler, or who waits longest in a pipeline.
  std::uint32_t rank = 0;
  LateBy late_by = LateBy::idle;
  Ns excess = 0;    // by which it does that longer than the others do on average
  Bytes bytes = 0;  // of small collectives, the largest; 0 where it is not known
};

// What is evaluated of the run: its steps (steps_of_run()), else what the steady states of all
// ranks share, else all that is recorded of all of them.
enum class RunWindow : std::uint8_t { steps, steady, whole };
std::string_view name_of(RunWindow window);

struct RunResult {
  Interval window;  // on the ranks' clock
  RunWindow window_is = RunWindow::whole;
  std::vector<RankResult> ranks;
  // Matched, that begin in the window: those that join all ranks of a communicator, and the others,
  // which are sends with their receives.
  std::int64_t collectives = 0;
  std::int64_t exchanges = 0;
  bool by_stream = false;  // the communicator of some is not recorded
  // The borders of its steps: one more than there are, of which the first and the last are the
  // window's. Empty where no steps were found.
  std::vector<Ns> steps;
  std::size_t collectives_in_step = 0;  // as of RunSteps
  // Idle time and waiting shorter than this counts as computing; 0 but in summaries that are cut
  // down (rank_summary.h).
  Ns resolution = 0;
  std::int64_t others =
      0;  // communication kernels of which it is not known whom they join, in the run
  Ns clock_error = 0;
  std::vector<RunDefectRow> defects;
  std::vector<RunFinding> findings;   // most saving first
  std::vector<RunFinding> questions;  // whose data may not allow it
};

// What a screen is about first: of findings and questions the one that saves most. Null without
// any.
const RunFinding* first_of(const RunResult& run);

// `inconclusive` with any defect, or where a rank alone is; findings or possible by what is in it.
Verdict verdict_of(const RunResult& run);

}  // namespace lapscope::analyzer
