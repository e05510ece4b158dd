#pragma once

#include <cstddef>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/explain/gaps.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/host_time/host_kinds.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/limits.h"
#include "analyzer/model/names.h"
#include "analyzer/model/trace.h"
#include "analyzer/scope/range_work.h"

namespace lapscope::analyzer {

// Whether the analysis evaluates the steady state (steady_state.h) in addition to whole devices.
enum class Focus {
  whole,      // no
  automatic,  // yes, unless ranges, profiler brackets or a window are asked for
  steady,     // yes, even if ranges or brackets are asked for; not in a window
};

// The parts of an analysis. CauseOptions::progress counts the steps of each part separately.
enum class AnalysisPart : std::size_t { measuring, explaining, drawing };

struct AnalyzeOptions {
  Focus focus = Focus::whole;
  // Look for causes in whole devices even if each device has a steady state.
  bool explain_whole = true;
  // Names of the NVTX ranges to evaluate in addition to whole devices. In a name, * matches any
  // characters.
  std::vector<std::string> ranges;
  RangeThreads range_threads = RangeThreads::helpers;
  bool profiler_brackets = false;
  // Evaluate only this interval, in ns since the session start. If absent: from first to last op.
  std::optional<Interval> window;
  // Cut the window into this many intervals, whose lengths differ by at most 1 ns, and measure each
  // interval. If 0, do not cut the window.
  std::int64_t series_bins = 0;
  // A pattern of the NVTX ranges that are the iterations of a loop. If empty, iterations are
  // detected.
  std::string iterations;
  std::vector<std::string> communication = default_communication_patterns();
  // Also report the kernels of every scope: the order of their launches, and their time beside
  // other ops.
  bool kernels = false;
  // Also report the call stacks of sampled host threads, in two lists. The first list covers the
  // whole scope. The second list covers the time in which the critical path waited for the host.
  bool host_stacks = false;
  // Maps call stacks of sampled host threads to kinds of work.
  KindTable host_kinds;
  // Also report the time of kernels, copies and calls by name.
  bool stats = false;
  GapOptions gaps;
  // Look for causes, and predict what their fixes save.
  bool find_causes = true;
  // A limit on the names of NVTX ranges. It applies only if `find_causes` is set. The names are
  // evaluated one after the other. Each name adds the number of ops that start in the window of its
  // scope to a sum. If the sum exceeds both ops_explained and limits::times_explained * ops of the
  // trace, no further name is evaluated.
  std::size_t ops_explained = limits::ops_explained;
  CauseOptions causes;
  // Causes of a large scope are searched in a sample of `sample_ops` ops (GroupSample). A scope is
  // large if it has more than 2 * sample_ops ops, or more than 4 * sample_ops calls. If 0, no
  // sample is taken.
  std::size_t sample_ops = limits::sample_ops;
  // A replay of more than `most_replayed` ops, or of more than 2 * most_replayed calls, throws
  // TooManyToReplay.
  std::size_t most_replayed = std::numeric_limits<std::size_t>::max();
  // Also report every op, call and range of the evaluated time. Timelines are drawn from them.
  bool timeline = false;
};

// Thrown if a replay exceeds AnalyzeOptions::most_replayed, which bounds the memory. This can
// happen if no sample is taken: AnalyzeOptions::sample_ops is 0, or a sample is impossible, for
// example because all work was issued at one instant.
struct TooManyToReplay : std::exception {
  TooManyToReplay(std::size_t all, std::size_t allowed) : ops(all), most(allowed) {}
  const char* what() const noexcept override { return "too many ops to replay"; }

  std::size_t ops;  // or half the number of calls, if that is larger
  std::size_t most;
};

inline void begin_part(AnalysisPart part, std::int64_t steps, const AnalyzeOptions& options) {
  Progress* progress = options.causes.progress;
  if (progress) progress->begin(static_cast<std::size_t>(part), steps);
}

inline bool seeks_steady_state(const AnalyzeOptions& options) {
  const bool is_any_named = !options.ranges.empty() || options.profiler_brackets;
  if (options.focus == Focus::automatic && is_any_named) return false;
  return options.focus != Focus::whole && !options.window;
}

// Returns the names of the NVTX ranges that issued GPU work, with * for digits. Most work first.
std::vector<std::string> ranges_by_work(const Trace& trace);

// Returns the start of the earliest op, in ns since the session start; 0 if there are no ops.
Ns first_op_of(const Trace& trace);

// Analyzes a trace. The report is inconclusive if the trace, the window or a requested range has no
// ops. In this case, a health row gives the reason. Throws TooManyToReplay.
Report analyze(const Trace& trace, const AnalyzeOptions& options = {});

}  // namespace lapscope::analyzer
