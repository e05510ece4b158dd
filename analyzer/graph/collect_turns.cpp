#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analyzer/graph/building.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// Each thread is compared with at most this many other threads (Turns::candidates()), because a
// comparison reads all calls of both threads.
constexpr std::size_t most_partners = 8;

// Finds which threads of one process take turns.
//
//   thread 1  a.sss..........b.sss....      no thread begins a call while the other is in a call,
//   thread 2  ........c.sss.........d.      although each is in calls for a third of the time
class Turns {
 public:
  // `threads`: indices in HostSteps::threads. `in_calls`: by step, the sum of the lengths of all
  // earlier steps, in ns.
  Turns(const Trace& trace, const Times& times, const std::vector<Ns>& in_calls,
        std::vector<std::uint32_t> threads, Program& program)
      : trace_(trace),
        times_(times.steps.values()),
        in_calls_(in_calls),
        threads_(std::move(threads)),
        program_(program) {}

  void collect() {
    const auto candidates = this->candidates();
    for (const std::uint32_t thread : threads_) {
      std::vector<std::uint32_t> others;
      if (const auto partners = candidates.find(thread); partners != candidates.end()) {
        for (const std::uint32_t other : partners->second) {
          if (take_turns(thread, other)) others.push_back(other);
        }
      }
      if (!others.empty()) settle(thread, others);
    }
  }

 private:
  struct Ended {
    std::uint32_t step = no_index;
    std::uint32_t thread = no_index;
  };

  const ThreadSteps& steps_of(std::uint32_t thread) const { return program_.threads[thread]; }
  const Step& step(std::uint32_t s) const { return program_.steps[s]; }
  const Interval& time(std::uint32_t s) const { return times_[s]; }

  // Whether a thread paused before a step: it made no call for at least assumed::longest_latency,
  // and no known wait explains this.
  bool is_pause(std::uint32_t s, const ThreadSteps& thread) const {
    return s != thread.first && step(s).after == no_index &&
           time(s).start - time(s - 1).end >= assumed::longest_latency;
  }

  // Returns, for each thread, at most most_partners threads that may take turns with it. For each
  // pause of the thread, finds the other thread that was the last to end a call in this pause.
  // Chooses the threads that were found most often, and at least assumed::enough_examples times.
  std::map<std::uint32_t, std::vector<std::uint32_t>> candidates() const {
    struct InTime {
      Ns time;
      bool begins;
      Ended own;
    };
    std::vector<InTime> times;
    for (const std::uint32_t t : threads_) {
      for (std::uint32_t s = steps_of(t).first; s < steps_of(t).last; ++s) {
        if (is_pause(s, steps_of(t))) times.push_back({time(s).start, true, {s, t}});
        times.push_back({time(s).end, false, {s, t}});
      }
    }
    std::ranges::sort(times, [](const InTime& a, const InTime& b) {
      return std::make_tuple(a.time, a.begins, a.own.step) <
             std::make_tuple(b.time, b.begins, b.own.step);
    });
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> counts;
    Ended latest;
    Ended latest_of_others;
    for (const InTime& one : times) {
      if (!one.begins) {
        if (one.own.thread != latest.thread) latest_of_others = latest;
        latest = one.own;
        continue;
      }
      const Ended& last = latest.thread == one.own.thread ? latest_of_others : latest;
      if (last.step == no_index || time(last.step).end <= time(one.own.step - 1).end) continue;
      ++counts[one.own.thread][last.thread];
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> candidates;
    for (const auto& [thread, others] : counts) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> ranked;
      for (const auto& [other, count] : others) {
        if (count >= assumed::enough_examples) ranked.emplace_back(count, other);
      }
      std::sort(ranked.rbegin(), ranked.rend());
      ranked.resize(std::min(ranked.size(), most_partners));
      for (const auto& [count, other] : ranked) candidates[thread].push_back(other);
    }
    return candidates;
  }

  // Returns the first step of a thread that begins at `now` or later.
  std::uint32_t first_from(std::uint32_t thread, Ns now) const {
    const auto at = [this](std::uint32_t s) { return times_.begin() + s; };
    const auto found = std::partition_point(at(steps_of(thread).first), at(steps_of(thread).last),
                                            [now](const Interval& one) { return one.start < now; });
    return static_cast<std::uint32_t>(found - times_.begin());
  }

  // begun: how many calls of a thread begin while another thread is in a call. by_chance: how many
  // would begin in this way if the threads were independent.
  struct AtOnce {
    std::uint32_t begun = 0;
    double by_chance = 0;
  };
  AtOnce at_once(std::uint32_t thread, std::uint32_t other, Interval both) const {
    AtOnce result;
    const std::uint32_t first = first_from(thread, both.start);
    const std::uint32_t last = first_from(thread, both.end);
    const std::uint32_t other_first = first_from(other, both.start);
    const std::uint32_t other_last = first_from(other, both.end);
    if (first >= last || other_first >= other_last) return result;
    const Ns beyond = std::max<Ns>(0, time(other_last - 1).end - both.end);
    const Ns in_calls = in_calls_[other_last] - in_calls_[other_first] - beyond;
    result.by_chance = (last - first) * static_cast<double>(in_calls) /
                       static_cast<double>(std::max<Ns>(1, both.length()));
    for (std::uint32_t s = first; s < last; ++s) {
      const std::uint32_t behind = first_from(other, time(s).start);
      const bool is_within =
          behind != steps_of(other).first && time(behind - 1).end > time(s).start;
      result.begun += is_within ? 1 : 0;
    }
    return result;
  }

  // Whether two threads take turns. Considers only the time in which both threads make calls.
  bool take_turns(std::uint32_t thread, std::uint32_t other) const {
    const Interval both{
        std::max(time(steps_of(thread).first).start, time(steps_of(other).first).start),
        std::min(time(steps_of(thread).last - 1).end, time(steps_of(other).last - 1).end)};
    const AtOnce own = at_once(thread, other, both);
    const AtOnce others = at_once(other, thread, both);
    const double by_chance = own.by_chance + others.by_chance;
    return by_chance >= assumed::enough_examples &&
           own.begun + others.begun <= assumed::hardly_any * by_chance;
  }

  // The different ops that a thread issued: kernels by their names, and copies by their sizes.
  using Work = std::set<std::tuple<Engine, std::uint32_t, std::int64_t>>;
  const Work& work_of(std::uint32_t thread) {
    const auto [found, is_new] = works_.try_emplace(thread);
    if (!is_new) return found->second;
    for (std::uint32_t s = steps_of(thread).first; s < steps_of(thread).last; ++s) {
      for (std::uint32_t t = step(s).first_task; t < step(s).first_task + step(s).task_count; ++t) {
        const Task& task = program_.tasks[t];
        if (task.op == no_index) continue;
        const Ops& ops = trace_.devices[task.device].ops;
        const bool is_kernel = ops.kind[task.op] == OpKind::kernel;
        found->second.emplace(ops.engine[task.op], ops.name[task.op],
                              is_kernel ? 0 : ops.bytes[task.op]);
      }
    }
    return found->second;
  }

  void settle(std::uint32_t thread, const std::vector<std::uint32_t>& others) {
    for (std::uint32_t s = steps_of(thread).first; s < steps_of(thread).last; ++s) {
      if (!is_pause(s, steps_of(thread))) continue;
      const Interval pause{time(s - 1).end, time(s).start};
      Ended last;
      for (const std::uint32_t other : others) {
        std::uint32_t behind = first_from(other, pause.end);
        while (behind != steps_of(other).first && time(behind - 1).end > pause.end) --behind;
        if (behind == steps_of(other).first || time(behind - 1).end <= pause.start) continue;
        if (last.step == no_index || time(behind - 1).end > time(last.step).end) {
          last = {behind - 1, other};
        }
      }
      if (last.step == no_index) continue;
      const std::uint32_t begun = first_from(last.thread, pause.start);
      const bool is_same_work =
          rule::locks && !work_of(thread).empty() && work_of(thread) == work_of(last.thread);
      come_after(s, last.step, {time(std::min(begun, last.step)).start, time(last.step).end},
                 is_same_work ? After::lock : After::turn);
    }
  }

  // Makes step `s` wait for step `awaited` of another thread. `turn` is the time in which the other
  // thread had its turn: from the start of its first call in the turn until the end of `awaited`.
  void come_after(std::uint32_t s, std::uint32_t awaited, Interval turn, After kind) {
    const Ns since = time(s - 1).end;
    Step& own = program_.steps.edit()[s];
    own.after = awaited;
    own.after_kind = kind;
    own.after_gap = time(s).start - turn.end;
    own.gap = std::clamp<Ns>(turn.start - since, 0, own.gap);
  }

  const Trace& trace_;
  const std::vector<Interval>& times_;  // by step
  const std::vector<Ns>& in_calls_;
  const std::vector<std::uint32_t> threads_;
  Program& program_;
  std::map<std::uint32_t, Work> works_;
};

}  // namespace

Program collect_turns(const Trace& trace, const Times& times, Program program) {
  if (!rule::turns) return program;
  std::map<std::uint32_t, std::vector<std::uint32_t>> processes;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    processes[pid_of(program.threads[t].global_tid)].push_back(t);
  }
  std::vector<Ns> in_calls{0};
  in_calls.reserve(program.steps.size() + 1);
  for (const Interval& call : times.steps) in_calls.push_back(in_calls.back() + call.length());
  for (auto& [pid, threads] : processes) {
    if (threads.size() == 1) continue;
    Turns(trace, times, in_calls, std::move(threads), program).collect();
  }
  return program;
}

}  // namespace lapscope::analyzer
