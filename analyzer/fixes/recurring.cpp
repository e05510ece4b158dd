#include "analyzer/fixes/recurring.h"

#include <algorithm>
#include <functional>
#include <map>

#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Returns the times at which tasks were issued, ascending.
std::vector<Ns> issue_times(const Graph& graph) {
  std::vector<Ns> times;
  times.reserve(graph.tasks.size());
  for (const Task& task : graph.tasks) {
    if (task.step != no_index) times.push_back(graph.times.steps[task.step].start);
  }
  if (!std::is_sorted(times.begin(), times.end())) std::sort(times.begin(), times.end());
  return times;
}

// Counts the tasks that were issued up to a time. Queries must be in the order of time.
class IssueCount {
 public:
  explicit IssueCount(const std::vector<Ns>& times) : times_(times) {}
  std::int64_t by(Ns time) {
    // A thread's first query may be late in the run, so it uses a binary search.
    if (next_ == 0) {
      const auto after = std::upper_bound(times_.begin(), times_.end(), time);
      next_ = static_cast<std::size_t>(after - times_.begin());
    }
    while (next_ < times_.size() && times_[next_] <= time) ++next_;
    return static_cast<std::int64_t>(next_);
  }

 private:
  const std::vector<Ns>& times_;
  std::size_t next_ = 0;
};

// The times that one thread spends in one function, or between two functions, added up by rounds. A
// new round begins whenever GPU work is issued. For example, several allocations in a row are one
// round.
class Rounds {
 public:
  void add(Ns ns, std::int64_t issued) {
    if (next(issued)) lengths_.push_back(0);
    lengths_.back() += ns;
  }

  // begin_asking() must be called after the last add(). After that, recurs() must be called once
  // for each call of add(), in the same order. The n-th call of recurs() returns whether the time
  // of the n-th call of add() belongs to a recurring round.
  void begin_asking() {
    issued_ = never;
    if (lengths_.size() < assumed::enough_examples) return;
    std::vector<Ns> sorted = lengths_;
    const auto third = sorted.begin() + (assumed::enough_examples - 1);
    std::nth_element(sorted.begin(), third, sorted.end(), std::greater<>());
    longest_ = assumed::uneven * *third;
  }
  bool recurs(std::int64_t issued) {
    if (next(issued)) ++round_;
    return lengths_[round_ - 1] <= longest_;
  }

 private:
  bool next(std::int64_t issued) {
    const bool is_next = issued != issued_;
    issued_ = issued;
    return is_next;
  }

  std::vector<Ns> lengths_;      // in ns, by round
  std::int64_t issued_ = never;  // the number of tasks that were issued before the current round
  std::size_t round_ = 0;
  Ns longest_ = never;
};

}  // namespace

Recurring::Recurring(const Trace& trace, const Graph& graph)
    : calls_(graph.steps.size()), gaps_(graph.steps.size()) {
  const std::vector<Ns> times = issue_times(graph);
  const auto function = [&](std::uint32_t s) { return trace.calls.name[graph.steps[s].call]; };
  for (const ThreadSteps& thread : graph.threads) {
    std::map<std::uint32_t, Rounds> calls;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Rounds> gaps;
    IssueCount issued(times);
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      const Step& step = graph.steps[s];
      const std::int64_t before = issued.by(graph.times.steps[s].start);
      if (concerns(step.cause)) calls[function(s)].add(step.call_overhead, before);
      if (s != thread.first)
        gaps[{function(s - 1), function(s)}].add(step.waits_for_turn() ? step.after_gap : step.gap,
                                                 before);
    }
    for (auto& [key, rounds] : calls) rounds.begin_asking();
    for (auto& [key, rounds] : gaps) rounds.begin_asking();
    IssueCount again(times);
    for (std::uint32_t s = thread.first; s < thread.last; ++s) {
      const Step& step = graph.steps[s];
      const std::int64_t before = again.by(graph.times.steps[s].start);
      if (concerns(step.cause)) calls_[s] = calls[function(s)].recurs(before);
      if (s != thread.first) gaps_[s] = gaps[{function(s - 1), function(s)}].recurs(before);
    }
  }
}

}  // namespace lapscope::analyzer
