#include <algorithm>
#include <map>

#include "analyzer/graph/building.h"
#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// Finds the parent step of each thread of one process: the step after which the thread was probably
// created.
// - Candidates are all steps that had ended when the new thread made its first call.
// - A candidate is preferred if the next call of its thread begins only when the last call of the
//   new thread has ended. Such a thread probably joins the new thread.
// - The parent is the preferred candidate that ended last. If no candidate is preferred, the parent
//   is the candidate that ended last. See later() for steps that ended together.
class Parents {
 public:
  // `threads`: indices in HostSteps::threads.
  Parents(const RecordedCalls& calls, const std::vector<std::uint32_t>& threads) : calls_(calls) {
    for (const std::uint32_t t : threads) {
      const ThreadSteps& thread = calls.host.threads[t];
      children_.push_back({calls.times[thread.first].start, calls.times[thread.last - 1].end, t});
    }
    std::ranges::stable_sort(children_, {}, &Child::appears);
    soonest_end_.assign(children_.size() + 1, latest_time);
    for (std::size_t c = children_.size(); c-- > 0;) {
      soonest_end_[c] = std::min(soonest_end_[c + 1], children_[c].ends);
      ends_.push_back(children_[c].ends);
    }
    std::ranges::sort(ends_);
    last_.resize(children_.size(), no_index);
    pauses_.resize(children_.size());
    for (const std::uint32_t t : threads) add(calls.host.threads[t]);
  }

  // Calls take(thread, step) for each thread.
  template <class Take>
  void for_each(Take&& take) const {
    std::uint32_t last = no_index;
    // A Fenwick tree of maxima. A query for a time in `ends_` considers the steps whose pause lasts
    // at least until this time. The result is the step that ended last.
    std::vector<std::uint32_t> before(children_.size() + 1, no_index);
    for (std::size_t c = 0; c < children_.size(); ++c) {
      last = later(last, last_[c]);
      for (const Pause& pause : pauses_[c]) {
        for (std::size_t at = pause.reaches; at > 0; at -= at & (~at + 1)) {
          before[at] = later(before[at], pause.step);
        }
      }
      std::uint32_t joining = no_index;
      const auto own = std::ranges::lower_bound(ends_, children_[c].ends);
      for (auto at = static_cast<std::size_t>(own - ends_.begin()) + 1; at < before.size();
           at += at & (~at + 1)) {
        joining = later(joining, before[at]);
      }
      take(children_[c].thread, joining != no_index ? joining : last);
    }
  }

 private:
  struct Child {
    Ns appears = 0;
    Ns ends = 0;  // end of its last call
    std::uint32_t thread = 0;
  };
  // The time between two consecutive steps of a thread.
  struct Pause {
    std::uint32_t step = 0;   // the first of the two steps
    std::size_t reaches = 0;  // the number of children that ended by the start of the second step
  };

  // Returns the step that ended later. If two steps of one thread ended together, returns the
  // second step. If steps of two threads ended together, returns the step of the first thread. If
  // one argument is no_index, returns the other argument.
  std::uint32_t later(std::uint32_t a, std::uint32_t b) const {
    if (a == no_index || b == no_index) return std::min(a, b);
    const Ns first = calls_.times[a].end;
    const Ns second = calls_.times[b].end;
    if (first != second) return first > second ? a : b;
    const bool is_same = thread_of(calls_.host, a).first == thread_of(calls_.host, b).first;
    return is_same ? std::max(a, b) : std::min(a, b);
  }

  void add(const ThreadSteps& thread) {
    std::size_t child = 0;  // the first child that appears after the step has ended
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      const Interval& step = calls_.times[s];
      const auto appears_later =
          std::partition_point(children_.begin() + static_cast<std::ptrdiff_t>(child),
                               children_.end(), [&step](const Child& one) {
                                 return one.appears < step.end || one.appears <= step.start;
                               });
      child = static_cast<std::size_t>(appears_later - children_.begin());
      if (child == children_.size()) return;
      last_[child] = later(last_[child], s);
      if (s + 1 == thread.last) return;
      const Ns next = calls_.times[s + 1].start;
      if (next < soonest_end_[child]) continue;
      const auto reached = std::ranges::upper_bound(ends_, next);
      pauses_[child].push_back({s, static_cast<std::size_t>(reached - ends_.begin())});
    }
  }

  const RecordedCalls& calls_;
  std::vector<Child> children_;      // in the order in which they appear
  std::vector<Ns> ends_;             // Child::ends, ascending
  std::vector<Ns> soonest_end_;      // by child: the earliest end from this child on
  std::vector<std::uint32_t> last_;  // by child: last of the steps that ended since the child ahead
  std::vector<std::vector<Pause>> pauses_;  // by child: the pauses after these steps
};

// Returns the parent step of each thread (see Parents).
std::vector<std::uint32_t> parents_of(const RecordedCalls& calls) {
  const std::vector<ThreadSteps>& all = calls.host.threads;
  std::map<std::uint32_t, std::vector<std::uint32_t>> processes;
  for (std::uint32_t t = 0; t < all.size(); ++t) {
    processes[pid_of(all[t].global_tid)].push_back(t);
  }
  std::vector<std::uint32_t> parents(all.size(), no_index);
  for (const auto& [pid, threads] : processes) {
    Parents(calls, threads).for_each([&parents](std::uint32_t thread, std::uint32_t step) {
      parents[thread] = step;
    });
  }
  return parents;
}

// Links each thread that appears while the program runs to its probable parent (see Parents):
//
//   parent   [call]....................[call]      the parent's second call waits for
//   child            [call]..[call]                the last call of the child
void connect_threads(RecordedCalls& calls) {
  const std::vector<std::uint32_t> parents = parents_of(calls);
  const std::vector<Interval>& times = calls.times;
  std::vector<Step>& steps = calls.host.steps.edit();
  for (std::uint32_t t = 0; t < calls.host.threads.size(); ++t) {
    const ThreadSteps& child = calls.host.threads[t];
    Step& first = steps[child.first];
    const std::uint32_t parent = parents[t];
    if (parent == no_index) {
      first.gap = times[child.first].start - calls.host.begin;
      continue;
    }
    first.after = parent;
    first.after_gap = times[child.first].start - times[parent].end;
    first.gap = 0;
    const std::uint32_t next = parent + 1;
    const Interval& last = times[child.last - 1];
    if (next >= thread_of(calls.host, parent).last || times[next].start < last.end ||
        times[next].start == last.start) {
      continue;
    }
    Step& join = steps[next];
    if (join.after == no_index || times[join.after].end < last.end) {
      join.after = child.last - 1;
      join.after_gap = times[next].start - last.end;
    }
    // The trace does not show when the parent began to wait for the child. The wait is assumed to
    // begin at the child's first call.
    join.gap = std::min(join.gap, first.after_gap);
  }
}

// Sets Step::loads of the calls that loaded code. Lazy loading happens inside a launch, and only an
// overhead record shows it.
void mark_loads(const Trace& trace, RecordedCalls& calls) {
  std::vector<Step>& steps = calls.host.steps.edit();
  const ThreadIndex threads(calls.host);
  for (const Overhead& overhead : trace.overheads) {
    if (overhead.kind != OverheadKind::module_load) continue;
    const ThreadSteps* thread = threads.of(overhead.global_tid);
    if (!thread) continue;
    const auto begin = calls.times.begin() + thread->first;
    const auto after = std::partition_point(
        begin, calls.times.begin() + thread->last,
        [&](const Interval& call) { return call.start <= overhead.interval.start; });
    if (after == begin) continue;
    const Interval& call = *std::prev(after);
    Step& step = steps[static_cast<std::size_t>(after - calls.times.begin()) - 1];
    step.loads |= overhead.interval.start < call.end;
    // If infer_loads() inferred the load from the length of the call, the overhead spans the whole
    // call. In this case, the call delays other work only because of the load.
    if (overhead.interval == call) step.cause = Cause::module_load;
  }
}

void merge(const Poll& poll, RecordedCalls& calls) {
  std::vector<Step>& steps = calls.host.steps.edit();
  Interval& all = calls.times[poll.first];
  all.end = calls.times[poll.last].end;
  steps[poll.first].call_overhead = all.length();
  for (std::uint32_t other = poll.first + 1; other <= poll.last; ++other) {
    calls.times[other] = {all.end, all.end};
    steps[other].gap = steps[other].call_overhead = 0;
  }
}

}  // namespace

RecordedCalls collect_steps(const Trace& trace, Interval issued) {
  const Calls& calls = trace.calls;
  RecordedCalls result;
  HostSteps& host = result.host;
  host.begin = latest_time;
  for (const Calls::Thread& thread : calls.threads) {
    const auto begin = calls.start.begin() + thread.first;
    const auto end = calls.start.begin() + thread.last;
    const auto first = std::lower_bound(begin, end, issued.start);
    const auto last = std::lower_bound(first, end, issued.end);
    if (first == last) continue;
    ThreadSteps own{thread.global_tid, static_cast<std::uint32_t>(result.times.size()), 0};
    Ns before = *first;
    for (auto at = first; at != last; ++at) {
      const auto call = static_cast<std::uint32_t>(at - calls.start.begin());
      Step step;
      step.call = call;
      const Interval time = calls.interval(call);
      step.gap = std::max<Ns>(0, time.start - before);
      step.call_overhead = time.length();
      step.cause = cause_of_call(calls.kind[call]);
      step.is_graph_launch = calls.kind[call] == CallKind::graph_launch;
      before = time.end;
      host.begin = std::min(host.begin, time.start);
      host.steps.edit().push_back(step);
      result.times.push_back(time);
    }
    own.last = static_cast<std::uint32_t>(result.times.size());
    host.threads.push_back(own);
  }
  connect_threads(result);
  mark_loads(trace, result);
  result.polls = polls_of(trace, host);
  for (const Poll& poll : result.polls) merge(poll, result);
  return result;
}

}  // namespace lapscope::analyzer
