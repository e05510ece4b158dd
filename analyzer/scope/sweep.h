#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Walks through a scope in time, and reports every change to all observers. So one pass is enough
// for all figures. The memory depends only on the number of ops that are active at the same time.
// In this example, the window is [0,8):
//
//   AAAA....        begin(A) stretch[0,2) begin(B) stretch[2,4) end(A) stretch[4,6) end(B)
//   ..BBBB..        stretch[6,8)
//
// An observer has
//   void begin(std::uint32_t op, Interval clipped);
//   void end(std::uint32_t op);
//   void stretch(Interval interval);   // an interval longer than 0 in which nothing changes
//
// To distinguish idle time from other work, an observer may also have
//   void other_work(Interval interval);
//
// which is called instead of stretch() if the device ran only ops outside the scope. The intervals
// follow each other and fill the window. At one instant, ends are reported before begins. An op is
// reported only if it ran in the window for longer than 0 ns.
template <class... Observers>
void sweep(const Ops& ops, const Scope& scope, Observers&... observers) {
  struct Active {
    Ns end;
    std::uint32_t op;
  };
  const auto ends_later = [](const Active& a, const Active& b) { return a.end > b.end; };
  std::vector<Active> active;  // a heap, first end first
  Ns now = scope.window.start;
  const auto pass_other_work = [](auto& observer, Interval interval) {
    if constexpr (requires { observer.other_work(interval); }) {
      observer.other_work(interval);
    } else {
      observer.stretch(interval);
    }
  };
  const auto busy =
      scope.device_busy ? scope.device_busy->intervals() : std::span<const Interval>{};
  std::size_t next_busy =
      scope.device_busy ? scope.device_busy->first_ending_after(scope.window.start) : 0;
  const auto pass = [&](Ns until) {
    while (now < until) {
      // Other ops of the device matter only while no op of the scope is active.
      while (next_busy < busy.size() && busy[next_busy].end <= now) ++next_busy;
      const bool is_alone = !active.empty() || next_busy == busy.size();
      const bool is_other = !is_alone && busy[next_busy].start <= now;
      const Ns border = is_alone ? until : is_other ? busy[next_busy].end : busy[next_busy].start;
      const Interval interval{now, std::min(until, border)};
      if (is_other) {
        (pass_other_work(observers, interval), ...);
      } else {
        (observers.stretch(interval), ...);
      }
      now = interval.end;
    }
  };
  const auto end_first = [&] {
    std::pop_heap(active.begin(), active.end(), ends_later);
    pass(active.back().end);
    (observers.end(active.back().op), ...);
    active.pop_back();
  };
  for (std::size_t i = 0; i < scope.ops.size(); ++i) {
    const std::uint32_t op = scope.ops[i];
    const Interval clipped = scope.clipped(ops, op);
    if (clipped.start >= clipped.end) continue;
    while (!active.empty() && active.front().end <= clipped.start) end_first();
    pass(clipped.start);
    (observers.begin(op, clipped), ...);
    active.push_back({clipped.end, op});
    std::push_heap(active.begin(), active.end(), ends_later);
  }
  while (!active.empty()) end_first();
  pass(scope.window.end);
}

}  // namespace lapscope::analyzer
