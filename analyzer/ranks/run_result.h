#pragma once

#include <array>
#include <cstdint>
#include <numeric>
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

// Reasons why a folder of traces is not one complete run. Any of them makes the verdict
// inconclusive.
enum class RunDefect : std::uint8_t {
  several_runs,          // there is no time at which all ranks ran
  different_sizes,       // the traces have different numbers of ranks for the run
  rank_twice,            // a rank is in several files
  rank_without_work,     // the trace of a rank has no GPU work
  rank_missing,          // no file for a rank that the launcher or a higher rank implies
  no_clock,              // a file does not have the start of its session
  unknown_clock,         // no collectives or messages relate a host's clock to the first host's
  contradicted_clock,    // no offset and drift between hosts fit all collectives
  coarse_summaries,      // RunResult::resolution is more than assumed::hardly_any of a step
  unmatched_collectives  // more than assumed::hardly_any have no counterpart on another rank
};
std::string_view code_of(RunDefect defect);

struct RunDefectRow {
  RunDefect defect = RunDefect::several_runs;
  std::int64_t count = 0;
  std::vector<std::string> which = {};  // names of ranks, at most the first 16
};

// Why a rank is late: mostly because of more computing or more `idle` time than the others have on
// average. `turns`: neither, because different ranks are late in turn. More computing is mostly due
// to `longer_kernels` of the same name and shape, or to `more_kernels`, which are more, larger or
// other kernels, if the kernels show it (compare_kernels()); else it is `computing`.
enum class LateBy : std::uint8_t { computing, longer_kernels, more_kernels, idle, turns };
std::string_view name_of(LateBy by);

struct RankResult {
  std::string name;  // its rank, else its file; with the device where a process has several
  std::string file;
  std::string host;
  std::int64_t device = 0;
  std::string device_name;
  // The number of collectives and exchanges of the rank that begin in the window.
  std::int64_t collectives = 0;
  std::int64_t exchanges = 0;
  RankTime time;
  RankTime on_path;  // the rank's part of the run's critical path (critical_path())
  Lateness late;
  Ns offset = 0;                // ns to add for the common clock, in the middle of the window
  std::vector<RankTime> steps;  // by step of the run
  std::vector<RankTime> parts;  // by equal part of the window (run_parts)
  // From the analysis of this rank without the other ranks.
  Trust trust = Trust::sound;
  OwnFinding own;
};

// The number of equal parts into which a window is divided for a drawing.
inline constexpr std::size_t run_parts = 128;

// Causes between the ranks of a run. Their stable codes are "straggler", "pipeline-bubble",
// "small-collectives", "exposed-communication".
enum class RunCause : std::uint8_t {
  straggler,
  pipeline_bubble,
  small_collectives,
  exposed_communication
};
std::string_view code_of(RunCause cause);
std::optional<RunCause> run_cause_of_code(std::string_view code);
// Whether findings of this cause are questions (RunResult::questions): the data dependences of the
// program may make their fix impossible.
bool is_question(RunCause cause);

inline constexpr std::array run_causes = {RunCause::straggler, RunCause::pipeline_bubble,
                                          RunCause::small_collectives,
                                          RunCause::exposed_communication};

struct RunFinding {
  RunCause cause = RunCause::straggler;
  // The time in ns that the fix saves at most in the window. Savings of different causes do not add
  // up. `saving` is never greater than `most_saving`.
  // - `saving` excludes all time that recording may have added, except for exposed communication.
  //   For exposed communication, `saving` assumes that a transfer slows down the kernels beside it
  //   as much as possible (LostBeside).
  // - `most_saving` is the greater of two predictions. One uses the recorded times. The other
  //   leaves out the time that recording added, and is scaled to the length of the recorded run.
  //   For a straggler, both assume that kernels beside waiting communication speed up as much as
  //   possible. For exposed communication, both assume that a transfer slows down the kernels
  //   beside it as little as possible.
  Ns saving = 0;
  Ns most_saving = 0;
  // Returns the saving by which findings are sorted.
  Ns middle() const { return std::midpoint(saving, most_saving); }
  // For a straggler: the number of collectives that a rank of `ranks` began after all other ranks.
  // For a pipeline bubble: the number of exchanges. For other causes: the number of collectives.
  std::int64_t count = 0;
  // Indices in RunResult::ranks. For a straggler: the late rank, or several ranks that are late
  // together, the latest first. For a pipeline bubble: the rank that waits longest. Empty for other
  // causes.
  std::vector<std::uint32_t> ranks = {};
  LateBy late_by = LateBy::idle;
  // For a straggler: how much longer `ranks` compute than the other ranks, or how much longer they
  // are idle, whichever is more. In ns, on average over the ranks.
  Ns excess = 0;
  // The kernel that contributes most to `longer_kernels` or `more_kernels`, on average over
  // `ranks`; nothing for others.
  std::optional<ComparedKernel> kernel = {};
  Bytes bytes = 0;  // of the largest small collective; 0 if not known
  Ns bubble = 0;    // the shortest time that a rank of a pipeline waits for messages
  // For a pipeline bubble: the number of micro-batches in a step; 0 if not known. Each micro-batch
  // is assumed to send one message. In each step, the waiting rank sends this number of messages of
  // one size to one other rank, and receives the same number of messages from it.
  std::int64_t micro_batches = 0;
  // The factor by which the number of micro-batches grows. `saving` and `most_saving` are predicted
  // for this factor.
  std::int64_t times_as_many = 0;
};

// Which time the window of a run covers. It is the first of these that is known for the run:
// - `steps`: its steps (steps_of_run()).
// - `steady`: the common part of the steady states of all ranks.
// - `whole`: the common part of the recorded times of all ranks.
enum class RunWindow : std::uint8_t { steps, steady, whole };
std::string_view name_of(RunWindow window);

struct RunResult {
  Interval window;  // on the common clock of the ranks
  RunWindow window_is = RunWindow::whole;
  std::vector<RankResult> ranks;
  // Matched collectives that begin in the window. `collectives` join all ranks of a communicator.
  // `exchanges` are sends with their receives.
  std::int64_t collectives = 0;
  std::int64_t exchanges = 0;
  bool by_stream = false;  // some are matched without a communicator
  // The borders of the steps, which fill the window. Empty if no steps were found.
  std::vector<Ns> steps;
  std::size_t collectives_in_step = 0;  // as RunSteps::collectives
  // Idle intervals and waits below this length, in ns, are taken as computing. 0 except for rank
  // summaries that were cut down (rank_summary.h).
  Ns resolution = 0;
  std::int64_t others = 0;  // communication kernels without known counterparts
  Ns clock_error = 0;
  // Stages of a pipeline wait for each other, but more micro-batches save too little, because the
  // host cannot issue them in time.
  bool host_limits_pipeline = false;
  std::vector<RunDefectRow> defects;
  std::vector<RunFinding> findings;   // the one that saves most first
  std::vector<RunFinding> questions;  // the same order; the program's data may not allow these
};

// Returns the finding or question that saves most. Screens show it first. Null if there is none.
const RunFinding* first_of(const RunResult& run);

// Returns the times of all ranks in the window, on average.
RankTime mean_time(const RunResult& run);

// Returns how long ranks wait, on average, as a share of the window. Returns 0 if this share is
// below `least`, or if the saving of a finding, as a share of the window, is not below `least`.
Share unexplained_waits(const RunResult& run, Share least);

// Returns the first of these that holds:
// - `inconclusive`: the run has a defect, or the analysis of any rank is inconclusive.
// - `findings`: there are findings.
// - `possible`: there are questions, or the ranks wait or only communicate for at least
//   assumed::least_saving of the time.
// - `ok`.
Verdict verdict_of(const RunResult& run);

}  // namespace lapscope::analyzer
