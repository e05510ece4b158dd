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

// Whether the steady state (analyzer/analysis/steady_state.h) is evaluated besides whole devices.
enum class Focus {
  whole,      // no
  automatic,  // where no range, brackets or window are named, which come instead of it
  steady,     // besides whatever is named
};

// The parts of CauseOptions::progress.
enum class AnalysisPart : std::size_t { measuring, explaining, drawing };

struct AnalyzeOptions {
  Focus focus = Focus::whole;
  // Look for causes in whole devices, too, where the steady state is evaluated.
  bool explain_whole = true;
  // NVTX ranges to evaluate besides the whole: names, with * for any characters.
  std::vector<std::string> ranges;
  RangeThreads range_threads = RangeThreads::helpers;
  // Evaluate what was issued between cudaProfilerStart and cudaProfilerStop, too.
  bool profiler_brackets = false;
  // Evaluate this interval instead of first op to last op, in ns since the session start.
  std::optional<Interval> window;
  // Cut the window into so many intervals of equal length (to a ns) and measure each; 0: do not.
  std::int64_t series_bins = 0;
  // The NVTX ranges that are the iterations of a loop, a pattern; found by themselves when empty.
  std::string iterations;
  std::vector<std::string> communication = default_communication_patterns();
  // Report for every scope, not for devices only, which kernels ran, and how much beside other
  // work.
  bool kernels = false;
  // Give the stacks of threads that were looked at, too: in which the host was, and in which while
  // the device waited for it.
  bool host_stacks = false;
  // Which kind of work what the host was seen to do is.
  KindTable host_kinds;
  // Give the time of kernels, copies and calls by name, too.
  bool stats = false;
  GapOptions gaps;
  // Look for what delayed work, and what fixes would bring.
  bool find_causes = true;
  // Ranges are explained until so many ops ran meanwhile in all, or limits::times_explained times
  // those of the trace, whichever is more.
  std::size_t ops_explained = limits::ops_explained;
  CauseOptions causes;
  // Causes of a scope with more than twice as many ops, or calls, are found in a sample of so many
  // (GroupSample). 0: in all.
  std::size_t sample_ops = limits::sample_ops;
  // So many ops are replayed at most, or twice as many calls: TooManyToReplay where there are more.
  std::size_t most_replayed = std::numeric_limits<std::size_t>::max();
  // Give every op, call and range of the evaluated time, too: for reports that draw them.
  bool timeline = false;
};

// What has to be replayed is more than AnalyzeOptions::most_replayed, which bounds memory: no
// sample was asked for, or none can be taken because all of it runs at one instant.
struct TooManyToReplay : std::exception {
  TooManyToReplay(std::size_t all, std::size_t allowed) : ops(all), most(allowed) {}
  const char* what() const noexcept override { return "too many ops to replay"; }

  std::size_t ops;  // or half the calls
  std::size_t most;
};

// Says what is done from now on to whom CauseOptions::progress is.
inline void begin_part(AnalysisPart part, std::int64_t steps, const AnalyzeOptions& options) {
  Progress* progress = options.causes.progress;
  if (progress) progress->begin(static_cast<std::size_t>(part), steps);
}

// Whether a steady state is looked for. In a window there is none.
inline bool seeks_steady_state(const AnalyzeOptions& options) {
  const bool is_any_named = !options.ranges.empty() || options.profiler_brackets;
  if (options.focus == Focus::automatic && is_any_named) return false;
  return options.focus != Focus::whole && !options.window;
}

// The names of the NVTX ranges that caused GPU work, digits as *, most work first.
std::vector<std::string> ranges_by_work(const Trace& trace);

// When the first op of any device starts; 0 without ops.
Ns first_op_of(const Trace& trace);

// Computes everything about a trace. A trace without ops, or a window or range without any, is
// inconclusive and says so in its health rows. Throws TooManyToReplay.
Report analyze(const Trace& trace, const AnalyzeOptions& options = {});

}  // namespace lapscope::analyzer
