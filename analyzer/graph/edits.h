#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// The changed elements of one column of a program. Holds a reference to the column.
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
  // Returns the element's value for writing. The reference is valid until the next call of edit().
  T& edit(std::uint32_t index) {
    if (places_.empty()) places_.resize(column_->size());
    std::uint32_t& place = places_[index];
    if (place == 0) {
      all_.push_back({index, before(index)});
      place = static_cast<std::uint32_t>(all_.size());
    }
    return all_[place - 1].now;
  }

  // Calls take(index, now) for each changed element. `now` is its new value.
  template <class Take>
  void for_each(Take&& take) const {
    for (const Change& one : all_) {
      if (!(one.now == before(one.index))) take(one.index, one.now);
    }
  }
  // Returns the changes at the indices for which is_kept(index) is true.
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
  std::vector<std::uint32_t> places_;  // by index: 1 + index in all_, or 0; empty until a change
};

// Changes to a program, from a fix or from the removal of the recorder's own time. Holds a
// reference to the program.
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
  std::vector<std::uint32_t> more_waits;  // appended to Program::waits
  std::vector<SmUse> more_uses;           // appended to MachineParameters::uses
  std::vector<Demand> more_demands;       // appended to MachineParameters::demands
  // The names of assumptions that the fix rests on.
  std::set<std::string_view> stand_ins;
  // Whether the effect depends on kernels whose demands (Demand) are not known.
  bool is_in_doubt = false;
  // If set, these values replace the values in Parameters.
  std::optional<Ns> quick_call;
  std::optional<Latencies> latencies;

  void remove_edge(std::uint32_t edge) { edges.edit(edge).removed = true; }
  void remove_edges(Cause cause);

  // Makes the step wait for `tasks` and for no other tasks.
  void set_waits(std::uint32_t step, const std::vector<std::uint32_t>& tasks);
  // Makes a call wait for nothing and take at most `overhead` ns.
  void make_quick(std::uint32_t step, Ns overhead);
  void make_quick(Cause cause, Ns overhead);

  // If the host delayed the task, limits Binding::lag to Parameters::quick_call.
  void shorten_way(std::uint32_t task);

 private:
  const Graph* program_;
};

Graph edited(const Edits& edits);

// Returns edits that divide the lengths of all ops on an engine by `factor`.
Edits scale_engine(Engine engine, double factor, const Graph& program);

}  // namespace lapscope::analyzer
