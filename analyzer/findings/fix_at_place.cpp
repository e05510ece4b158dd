#include "analyzer/findings/fix_at_place.h"

#include <cstring>

#include "analyzer/findings/held_tasks.h"

namespace lapscope::analyzer {
namespace {

// Copies of one object differ in no byte unless something was assigned. One that differs in padding
// alone is looked at in vain, which does no harm.
template <class T>
bool is_same(const T& a, const T& b) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

class Keeper {
 public:
  Keeper(const Sources& before, Cause cause, const std::function<bool(const CodePlace&)>& is_wanted,
         Graph& after)
      : before_(before.graph),
        after_(after),
        cause_(cause),
        places_(before, cause),
        is_wanted_(is_wanted) {}

  bool keep() {
    if (after_.tasks.size() != before_.tasks.size() ||
        after_.steps.size() != before_.steps.size()) {
      after_ = before_;
      return false;
    }
    keep_steps();
    keep_tasks();
    keep_edges();
    keep_streams();
    return kept_;
  }

 private:
  bool is_place(std::uint32_t place) {
    if (place >= answers_.size()) answers_.resize(place + 1);
    if (!answers_[place]) answers_[place] = is_wanted_(places_[place]);
    return *answers_[place];
  }
  bool has_task(std::uint32_t t) { return is_place(places_.of_task(t)); }
  bool has_holder(std::uint32_t t, std::uint32_t waiting) {
    return is_place(places_.of_holder(t, waiting));
  }
  bool has_step(std::uint32_t s) { return s != no_index && is_place(places_.of_step(s)); }
  // A task that is at the place, or that a call there issues.
  bool concerns(std::uint32_t t) { return has_task(t) || has_step(before_.tasks[t].step); }

  template <class T>
  void settle(bool is_kept, const T& old, T& changed) {
    if (is_kept) {
      kept_ = true;
    } else {
      changed = old;
    }
  }
  template <class T>
  void settle(bool is_kept, const Column<T>& old, Column<T>& changed, std::uint32_t index) {
    if (is_kept) {
      kept_ = true;
    } else if (!is_same(old[index], changed[index])) {
      changed.edit()[index] = old[index];
    }
  }

  // A call is the place of pageable copies, too, which are named for what they copy.
  void keep_steps() {
    if (after_.steps.is_shared_with(before_.steps)) return;
    for (std::uint32_t s = 0; s < before_.steps.size(); ++s) {
      const Step& old = before_.steps[s];
      if (is_same(old, after_.steps[s])) continue;
      bool is_kept = has_step(s);
      if (old.after_task != no_index) {
        is_kept = is_kept || has_step(before_.tasks[old.after_task].step);
      }
      for (std::uint32_t t = old.first_task; t < old.first_task + old.task_count; ++t) {
        is_kept = is_kept || has_task(t);
      }
      settle(is_kept, before_.steps, after_.steps, s);
    }
  }

  void keep_tasks() {
    if (after_.tasks.is_shared_with(before_.tasks) &&
        after_.bindings.is_shared_with(before_.bindings)) {
      return;
    }
    for (std::uint32_t t = 0; t < before_.tasks.size(); ++t) {
      const bool is_task_same = is_same(before_.tasks[t], after_.tasks[t]);
      if (is_task_same && is_same(before_.bindings[t], after_.bindings[t])) continue;
      const bool is_kept = concerns(t);
      settle(is_kept, before_.tasks, after_.tasks, t);
      settle(is_kept, before_.bindings, after_.bindings, t);
    }
  }

  bool edge_concerns(std::uint32_t from, std::uint32_t to) {
    if (cause_ == Cause::stream_order && is_copy_behind_kernel(before_, from, to)) {
      return has_task(to);
    }
    if (cause_ != Cause::default_stream_barrier) {
      return has_holder(from, to) || has_step(before_.tasks[from].step) ||
             has_step(before_.tasks[to].step);
    }
    return has_task(is_in_legacy_stream(before_, from) ? from : to);
  }

  // A fix adds the edges of a task behind those that it had. What it adds stands for what it
  // removed, and goes with it; where it removed nothing, for the task that is waited for. What it
  // adds to the order of a stream was in order before, and stays so wherever else it is made.
  void keep_edges() {
    if (after_.edges.is_shared_with(before_.edges)) return;
    std::vector<std::uint32_t> begin(before_.tasks.size() + 1);
    std::vector<Edge> edges;
    edges.reserve(after_.edges.size());
    for (std::uint32_t t = 0; t < before_.tasks.size(); ++t) {
      const std::uint32_t old = before_.edge_begin[t];
      const std::uint32_t old_count = before_.edge_begin[t + 1] - old;
      const std::uint32_t changed = after_.edge_begin[t];
      bool is_any_changed = false;
      bool is_any_kept = false;
      for (std::uint32_t e = 0; e < old_count; ++e) {
        Edge edge = after_.edges[changed + e];
        const Edge& was = before_.edges[old + e];
        if (!is_same(was, edge)) {
          const bool is_kept = edge_concerns(was.from, t);
          settle(is_kept, was, edge);
          is_any_changed = true;
          is_any_kept = is_any_kept || is_kept;
        }
        edges.push_back(edge);
      }
      for (std::uint32_t e = changed + old_count; e < after_.edge_begin[t + 1]; ++e) {
        const Edge& added = after_.edges[e];
        const bool is_wanted = is_any_changed
                                   ? is_any_kept
                                   : cause_ == Cause::stream_order || edge_concerns(added.from, t);
        if (is_wanted) edges.push_back(added);
      }
      begin[t + 1] = static_cast<std::uint32_t>(edges.size());
    }
    after_.edges = std::move(edges);
    after_.edge_begin = std::move(begin);
  }

  // A stream gets another priority because of what held its tasks up.
  void keep_streams() {
    std::vector<bool> is_kept(before_.streams.size());
    for (std::uint32_t t = 0; t < before_.tasks.size(); ++t) {
      const std::uint32_t stream = before_.tasks[t].stream;
      const Binding& binding = before_.bindings[t];
      if (is_kept[stream] || binding.cause != cause_ || binding.from == no_index) continue;
      if (is_same(before_.streams[stream], after_.streams[stream])) continue;
      is_kept[stream] = has_holder(binding.from, t);
    }
    for (std::uint32_t s = 0; s < before_.streams.size(); ++s) {
      if (is_same(before_.streams[s], after_.streams[s])) continue;
      settle(is_kept[s], before_.streams[s], after_.streams[s]);
    }
  }

  const Graph& before_;
  Graph& after_;
  Cause cause_;
  Places places_;
  const std::function<bool(const CodePlace&)>& is_wanted_;
  std::vector<std::optional<bool>> answers_;  // by place
  bool kept_ = false;
};

}  // namespace

bool keep_at(const Sources& before, Cause cause,
             const std::function<bool(const CodePlace&)>& is_wanted, Graph& after) {
  return Keeper(before, cause, is_wanted, after).keep();
}

}  // namespace lapscope::analyzer
