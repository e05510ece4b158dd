#pragma once

#include <algorithm>
#include <optional>

#include "analyzer/graph/graph.h"
#include "analyzer/graph/polling.h"
#include "analyzer/intervals/units.h"

// The stages of building a graph. Each stage takes the result of the previous stage. The last
// stages measure Parameters and leave the Program unchanged.
namespace lapscope::analyzer {

// Returns the median of the examples; empty if there are fewer than `enough`. Reorders `examples`.
template <class Number>
std::optional<Number> typical_of(std::vector<Number>& examples,
                                 std::size_t enough = assumed::enough_examples) {
  if (examples.size() < enough) return std::nullopt;
  const auto middle = examples.begin() + static_cast<std::ptrdiff_t>(examples.size() / 2);
  std::nth_element(examples.begin(), middle, examples.end());
  return *middle;
}

// The launch shapes and demands of the kernels of all devices, as in MachineParameters.
struct Kernels {
  std::vector<SmUse> uses;
  std::vector<Demand> demands;
  // By device and launch geometry: an index in `uses`. It is no_index if the room that a launch of
  // this geometry takes is not known.
  std::vector<std::vector<std::uint32_t>> use_of;
  // By device and op: an index in `demands`. It is no_index if the op has no demand.
  std::vector<std::vector<std::uint32_t>> class_of;
};
Kernels kernels_of(const Trace& trace, const std::vector<bool>& communication);

// All calls that began in an interval, without calls inside other calls. The first call of a poll
// has the length of the whole poll. The other calls of the poll have length 0.
struct RecordedCalls {
  HostSteps host;
  std::vector<Interval> times;  // by step
  std::vector<Poll> polls;      // by first step
};
RecordedCalls collect_steps(const Trace& trace, Interval issued);

// The tasks that the recorded calls issued, and the other ops that ran at the time of these calls.
struct IssuedWork {
  Issued program;
  Times times;
  std::vector<Poll> polls;
  // The time at which each task was issued. If this time is not recorded, the latest possible time.
  std::vector<Ns> issued_at;
  std::vector<Ns> issue_offsets;  // as in Parameters
};
IssuedWork collect_tasks(const Trace& trace, Interval issued,
                         const std::vector<bool>& communication, const Kernels& kernels,
                         RecordedCalls calls);

// A task whose place in the order of issue is not known yet.
struct Draft {
  Task task;
  Interval time;
  // If no step issued the task: the latest time at which it can have been issued.
  Ns at_latest = latest_time;
  std::uint32_t place = 0;  // of a host function: its place in its graph launch
};
// Returns the time at which a step issued the task. If no step issued the task, returns the latest
// time at which it can have been issued.
inline Ns issued_at(const RecordedCalls& calls, const Draft& draft) {
  const std::uint32_t step = draft.task.step;
  if (step == no_index) return draft.at_latest;
  return calls.times[step].start + calls.host.steps[step].overtaken;
}

// These functions infer the order of issue where it is not recorded.
// - place_unissued() sets Draft::at_latest of ops that no step issued.
// - settle_races() sets Step::overtaken. It returns true if it changed a step.
// - begin_behind() finds consecutive kernels of a stream that overlap. It moves the start of the
//   second kernel to the end of the first, and sets Task::began_early of the second. The drafts
//   must be in the order of issue.
void place_unissued(const Trace& trace, const RecordedCalls& calls, std::size_t streams,
                    std::vector<Draft>& drafts);
bool settle_races(std::size_t streams, const std::vector<Draft>& drafts, RecordedCalls& calls);
void begin_behind(const Trace& trace, const HostSteps& host, std::size_t streams,
                  std::vector<Draft>& drafts);

// Returns the host functions of the launched CUDA graphs. If no node follows a function, its end is
// not known, and is latest_time.
std::vector<Draft> graph_functions(const Trace& trace, const RecordedCalls& calls,
                                   const std::vector<Draft>& ops);

// Returns the times of all tasks. Infers the times of host functions from the tasks around them.
std::vector<Interval> with_host_functions(const Trace& trace, const Issued& program,
                                          const Times& recorded);

// Returns the median length of launches that wait for nothing, in ns; empty if examples are too
// few.
std::optional<Ns> measure_quick_call(const Trace& trace, const Issued& program, const Times& times);

// Finds the tasks that each task and each call waits for. Sets Program::edges and Program::waits.
// For each step, also sets its waits, `cause`, `call_overhead` and `return_latency`.
Program collect_constraints(const Trace& trace, IssuedWork work, Ns quick_call);

// Finds the steps before which a thread seems to have waited for another thread. Sets `after`,
// `after_kind` and `after_gap` of these steps. Shortens their `gap` to the thread's work before the
// wait.
Program collect_turns(const Trace& trace, const Times& times, Program program);

// Finds collectives. Sets Program::ranks, Program::collectives, and Task::rank of each kernel in a
// collective.
Program collect_collectives(const Trace& trace, const Times& times, Program program);

// Sets Parameters::traits and Parameters::lengths.
void measure_engines(const Trace& trace, const Program& program, const Times& times,
                     Parameters& parameters);

// Sets Parameters::bindings, latencies, crowded and kept_out. Also sets Lengths::all_resident and
// Lengths::last_wave_overlap of each kernel.
void find_bindings(const Program& program, const Times& times, Parameters& parameters);

// Sets Lengths::work and Lengths::last_wave_work of kernels. find_bindings() must be called first,
// because both lengths depend on all_resident and last_wave_overlap.
void share_work(const Program& program, const Times& times, Parameters& parameters);

// Recomputes Lengths::last_wave_work from `times` and Lengths::last_wave_overlap. Must be called
// after any of these has changed.
void find_lets_in_work(const Program& program, const Times& times, Parameters& parameters);

}  // namespace lapscope::analyzer
