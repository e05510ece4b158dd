#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// Elements of one column of a program as an edit has them. Refers to the column.
template <class T>
class Changes {
 public:
  struct Change {
    std::uint32_t index = 0;  // in the column
    T now;
  };

  explicit Changes(const std::vector<T>& column) : column_(&column) {}

  const T& before(std::uint32_t index) const { return (*column_)[index]; }
  // The value after the changes so far.
  const T& operator[](std::uint32_t index) const {
    const std::uint32_t place = index < places_.size() ? places_[index] : 0;
    return place == 0 ? before(index) : all_[place - 1].now;
  }
  // Likewise, to be changed. Good until the next call.
  T& edit(std::uint32_t index) {
    if (places_.empty()) places_.resize(column_->size());
    std::uint32_t& place = places_[index];
    if (place == 0) {
      all_.push_back({index, before(index)});
      place = static_cast<std::uint32_t>(all_.size());
    }
    return all_[place - 1].now;
  }

  // Calls take(index, now) for each element that is another one than before.
  template <class Take>
  void for_each(Take&& take) const {
    for (const Change& one : all_) {
      if (!(one.now == before(one.index))) take(one.index, one.now);
    }
  }
  // The changes that `is_kept`, asked for each index, lets stay.
  template <class IsKept>
  Changes filtered(IsKept&& is_kept) const {
    Changes result(*column_);
    for_each([&](std::uint32_t index, const T& now) {
      if (is_kept(index)) result.edit(index) = now;
    });
    return result;
  }
  bool empty() const {
    bool is_any = false;
    for_each([&is_any](std::uint32_t, const T&) { is_any = true; });
    return !is_any;
  }

 private:
  const std::vector<T>* column_;
  std::vector<Change> all_;
  std::vector<std::uint32_t> places_;  // by index: 1 + in all_, or 0; empty until the first change
};

// What a fix, or leaving the recorder out, changes of a program: the only way to a program that
// differs from the recorded one. Refers to the program.
class Edits {
 public:
  explicit Edits(const Graph& program)
      : tasks(program.tasks.values()),
        lengths(program.lengths.values()),
        bindings(program.bindings.values()),
        steps(program.steps.values()),
        edges(program.edges.values()),
        streams(program.streams),
        ranks(program.ranks),
        program_(&program) {}

  const Graph& program() const { return *program_; }

  Changes<Task> tasks;
  Changes<Lengths> lengths;
  Changes<Binding> bindings;
  Changes<Step> steps;
  Changes<Edge> edges;
  Changes<GraphStream> streams;
  Changes<Rank> ranks;
  std::vector<NewEdge> added;             // each leads from an earlier task to a later one
  std::vector<std::uint32_t> more_waits;  // behind Program::waits
  std::vector<SmUse> more_uses;           // behind MachineParameters::uses
  std::vector<Demand> more_demands;       // behind MachineParameters::demands
  // The names of assumptions that the fix rests on.
  std::set<std::string_view> stand_ins;
  // Whether it depends on what kernels share, of which that is not known.
  bool is_in_doubt = false;
  // What is learned from the trace, where the edited program has other values.
  std::optional<Ns> quick_call;
  std::optional<Latencies> latencies;

  void remove_edge(std::uint32_t edge) { edges.edit(edge).removed = true; }
  // All of a cause.
  void remove_edges(Cause cause);

  // The step waits for these, and no others.
  void set_waits(std::uint32_t step, const std::vector<std::uint32_t>& tasks);
  // A call that no longer waits, and takes `overhead` ns at most.
  void make_quick(std::uint32_t step, Ns overhead);
  // All calls of a cause.
  void make_quick(Cause cause, Ns overhead);

  // A task that waited for nothing but the host is on its way from there for as long as a quick
  // call takes, at most.
  void shorten_way(std::uint32_t task);

 private:
  const Graph* program_;
};

// A program with the edits made.
Graph edited(const Edits& edits);

// Everything on an engine takes `factor` times less.
Edits scale_engine(Engine engine, double factor, const Graph& program);

}  // namespace lapscope::analyzer
