#include "analyzer/findings/host_functions.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

using Kind = HostState::Kind;

// What threads did while the critical path waited for them, added up over all waits.
struct HostShares {
  Ns waited_ns = 0;                      // time in which the path waited for the host's own work
  Ns known_ns = 0;                       // part of waited_ns, for threads with recorded states
  std::map<std::uint32_t, Ns> calls_ns;  // by name
  Ns not_running_ns = 0;                 // off the processor, outside the calls of calls_ns
  std::map<std::uint32_t, std::int64_t> samples;  // by name
  std::int64_t sample_count = 0;
};

class StatesInTime {
 public:
  explicit StatesInTime(const HostStates& states) : states_(states) {}

  // Calls f(state, part) for each state of a thread that overlaps `time`; `part` is the overlap.
  // Also calls f for each sample that was taken in `time`.
  template <class F>
  void for_each(std::uint32_t thread, Interval time, F&& f) {
    const auto& states = states_[thread];
    const Ns longest = longest_of(thread);
    // No state is longer than `longest`. So the skipped states end before `time`.
    auto state = std::ranges::partition_point(
        states, [&](const HostState& one) { return one.interval.start < time.start - longest; });
    for (; state != states.end() && state->interval.start < time.end; ++state) {
      const Interval inside = state->interval.within(time);
      const bool is_taken = state->kind == Kind::sample && state->interval.start >= time.start;
      if (is_taken || inside.length() > 0) f(*state, inside);
    }
  }

 private:
  Ns longest_of(std::uint32_t thread) {
    const auto [most, is_new] = longest_.try_emplace(thread, 0);
    if (is_new) {
      for (const HostState& one : states_[thread]) {
        most->second = std::max(most->second, one.interval.length());
      }
    }
    return most->second;
  }

  const HostStates& states_;
  std::map<std::uint32_t, Ns> longest_;  // the longest state, by thread
};

void add(StatesInTime& states, std::uint32_t thread, Interval part, HostShares& time) {
  std::vector<Interval> called;
  std::vector<Interval> off;
  states.for_each(thread, part, [&](const HostState& state, Interval inside) {
    if (state.kind == Kind::sample) {
      ++time.samples[state.name];
      ++time.sample_count;
      return;
    }
    (state.kind == Kind::not_running ? off : called).push_back(inside);
    if (state.kind != Kind::not_running) time.calls_ns[state.name] += inside.length();
  });
  const IntervalSet away = IntervalSet::union_of(std::move(off));
  time.not_running_ns +=
      away.length() - intersect(away, IntervalSet::union_of(std::move(called))).length();
}

HostShares host_shares(const Sources& sources, std::span<const Part> path) {
  const Trace& trace = sources.trace;
  StatesInTime states(trace.host_states);
  HostShares time;
  for (const Part& part : path) {
    if (part.is_work || part.cause != Cause::host_compute || part.step == no_index) continue;
    time.waited_ns += part.interval.length();
    const std::uint32_t thread = trace.calls.thread_of(sources.graph.steps[part.step].call);
    if (trace.host_states[thread].empty()) continue;
    time.known_ns += part.interval.length();
    add(states, thread, part.interval, time);
  }
  return time;
}

class OffProcessor {
 public:
  explicit OffProcessor(const Sources& sources)
      : sources_(sources), states_(sources.trace.host_states) {}

  // Returns the share of time, from 0 to 1, in which the thread of step `s` was off its processor.
  // The time is from the end of the thread's previous step to the start of `s`, as recorded.
  double before(std::uint32_t s) {
    const auto [found, is_new] = known_.try_emplace(s, 0.0);
    const Graph& graph = sources_.graph;
    if (!is_new || thread_of(graph, s).first == s) return found->second;
    const Interval pause{sources_.recorded_time_of_step(s - 1).end,
                         sources_.recorded_time_of_step(s).start};
    const std::uint32_t thread = sources_.trace.calls.thread_of(graph.steps[s].call);
    std::vector<Interval> off;
    states_.for_each(thread, pause, [&off](const HostState& state, Interval inside) {
      if (state.kind == Kind::not_running) off.push_back(inside);
    });
    found->second = portion(IntervalSet::union_of(std::move(off)).length(), pause.length());
    return found->second;
  }

 private:
  Sources sources_;
  StatesInTime states_;
  std::map<std::uint32_t, double> known_;
};

using Amounts = std::vector<std::pair<std::uint32_t, std::int64_t>>;  // by name

constexpr std::size_t functions_named = 3;  // the most functions that a sentence names

// Returns the largest amounts, largest first. Leaves out amounts that are less than
// assumed::least_saving of `whole`. The number of returned amounts is at most functions_named.
Amounts largest(const std::map<std::uint32_t, std::int64_t>& amounts, std::int64_t whole) {
  Amounts result;
  for (const auto& one : amounts) {
    if (portion(one.second, whole) >= assumed::least_saving) result.push_back(one);
  }
  std::ranges::stable_sort(result, std::greater(), [](const auto& one) { return one.second; });
  if (result.size() > functions_named) result.resize(functions_named);
  return result;
}

// Whether a function takes a lock. Such a function waits while another thread holds the lock.
bool takes_lock(std::string_view function) {
  return function.starts_with("pthread_mutex_") || function.starts_with("pthread_rwlock_");
}

}  // namespace

std::optional<HostFunctions> host_functions(const Sources& sources, std::span<const Part> path,
                                            Ns wall_ns) {
  // In a corrected run, the path has corrected times, but the states have recorded times.
  if (sources.trace.host_states.empty() || sources.as_recorded) return std::nullopt;
  const HostShares time = host_shares(sources, path);
  if (portion(time.known_ns, wall_ns) < assumed::least_saving) return std::nullopt;
  HostFunctions functions;
  functions.share = portion(time.waited_ns, wall_ns);
  for (const auto& [name, ns] : largest(time.calls_ns, time.known_ns)) {
    const std::string& function = sources.trace.names.text(name);
    functions.parts.push_back({function, portion(ns, time.known_ns), takes_lock(function)});
  }
  const double off_processor = portion(time.not_running_ns, time.known_ns);
  if (off_processor >= assumed::least_saving) functions.off_processor = off_processor;
  if (time.sample_count >= assumed::enough_examples) {
    functions.samples = time.sample_count;
    for (const auto& [name, count] : largest(time.samples, time.sample_count)) {
      functions.sampled.push_back(
          {sources.trace.names.text(name), portion(count, time.sample_count)});
    }
  }
  const bool is_known = !functions.parts.empty() || functions.off_processor > 0;
  if (!is_known && functions.sampled.empty()) return std::nullopt;
  return functions;
}

bool slept(const Sources& sources, const BlockedTasks& blocked) {
  if (sources.trace.host_states.empty()) return false;
  OffProcessor off_processor(sources);
  double all = 0;
  double off = 0;
  for (const Part& part : blocked.parts) {
    if (!part.is_gap) continue;
    const auto length = static_cast<double>(part.interval.length());
    all += length;
    off += length * off_processor.before(part.step);
  }
  return all > 0 && off >= assumed::majority * all;
}

}  // namespace lapscope::analyzer
