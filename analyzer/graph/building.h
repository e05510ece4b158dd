#pragma once

#include <algorithm>
#include <optional>

#include "analyzer/graph/graph.h"
#include "analyzer/graph/polling.h"
#include "analyzer/intervals/units.h"

// The stages in which a graph is built. Each is made of what the one before returned, and the
// program is not changed any more once its parameters are learned.
namespace lapscope::analyzer {

// The median of what a trace shows of something; empty where it has too few examples.
template <class Number>
std::optional<Number> typical_of(std::vector<Number>& examples,
                                 std::size_t enough = assumed::enough_examples) {
  if (examples.size() < enough) return std::nullopt;
  const auto middle = examples.begin() + static_cast<std::ptrdiff_t>(examples.size() / 2);
  std::nth_element(examples.begin(), middle, examples.end());
  return *middle;
}

// The shapes and classes of the kernels of all devices, as MachineParameters has them.
struct Kernels {
  std::vector<SmUse> uses;
  std::vector<Demand> demands;
  // By device: of each of Ops::geometries in `uses`, of each op in `demands`; or no_index.
  std::vector<std::vector<std::uint32_t>> use_of;
  std::vector<std::vector<std::uint32_t>> class_of;
};
Kernels kernels_of(const Trace& trace, const std::vector<bool>& communication);

// The outermost calls of all threads that began in an interval. Polls take their whole time in the
// first of their calls.
struct RecordedCalls {
  HostSteps host;
  std::vector<Interval> times;  // by step
  std::vector<Poll> polls;      // by first step
};
RecordedCalls collect_steps(const Trace& trace, Interval issued);

// What they issued, and what ran beside it.
struct IssuedWork {
  Issued program;
  Times times;
  std::vector<Poll> polls;
  // By task: when it was issued, or had been at the latest.
  std::vector<Ns> issued_at;
  std::vector<Ns> issue_offsets;  // as in Parameters
};
IssuedWork collect_tasks(const Trace& trace, Interval issued,
                         const std::vector<bool>& communication, const Kernels& kernels,
                         RecordedCalls calls);

// A task while its place in the order of issue is looked for.
struct Draft {
  Task task;
  Interval time;
  // Where no step issued it: when it had been issued at the latest.
  Ns at_latest = latest_time;
  std::uint32_t place = 0;  // of a host function among those of its graph launch
};
// When a task was issued, or had been at the latest.
inline Ns issued_at(const RecordedCalls& calls, const Draft& draft) {
  const std::uint32_t step = draft.task.step;
  if (step == no_index) return draft.at_latest;
  return calls.times[step].start + calls.host.steps[step].overtaken;
}

// What is inferred of the order of issue where it is not recorded: Draft::at_latest of ops that no
// step issued; Step::overtaken, and whether any was; and what follows from it for drafts
// in that order, Task::began_early, and when these begin then. `streams`: how many there are.
void place_unissued(const Trace& trace, const RecordedCalls& calls, std::size_t streams,
                    std::vector<Draft>& drafts);
bool settle_races(std::size_t streams, const std::vector<Draft>& drafts, RecordedCalls& calls);
void begin_behind(const Trace& trace, const HostSteps& host, std::size_t streams,
                  std::vector<Draft>& drafts);

// The host functions in graphs that were launched with these calls. Where nothing in its graph
// follows a host function, its end is not known: latest_time.
std::vector<Draft> graph_functions(const Trace& trace, const RecordedCalls& calls,
                                   const std::vector<Draft>& ops);

// The times of tasks with those of host functions, which are inferred from the others.
std::vector<Interval> with_host_functions(const Trace& trace, const Issued& program,
                                          const Times& recorded);

// What launches take that wait for nothing; empty where the trace has too few examples.
std::optional<Ns> measure_quick_call(const Trace& trace, const Issued& program, const Times& times);

// What waits for what: edges, waits; and of steps what they wait for, their cause, call_overhead
// and return_latency.
Program collect_constraints(const Trace& trace, IssuedWork work, Ns quick_call);

// Finds steps ahead of which their thread seems to have waited for another one. Sets their after,
// after_gap and after_kind, and the part of gap that is what the thread did before.
Program collect_turns(const Trace& trace, const Times& times, Program program);

// The ranks of collectives, in Program and of its tasks.
Program collect_collectives(const Trace& trace, const Times& times, Program program);

// Parameters::traits, lengths.
void measure_engines(const Trace& trace, const Program& program, const Times& times,
                     Parameters& parameters);

// Parameters::bindings, latencies, crowded, kept_out; and of kernels, what they take with all their
// room, and how long before their ends they let others in.
void find_bindings(const Program& program, const Times& times, Parameters& parameters);

// Lengths::work of kernels, and last_wave_work, by what ran beside them for as long as they had all
// their room (find_bindings()).
void share_work(const Program& program, const Times& times, Parameters& parameters);

// Lengths::last_wave_work alone, once times and last_wave_overlap are others.
void find_lets_in_work(const Program& program, const Times& times, Parameters& parameters);

}  // namespace lapscope::analyzer
