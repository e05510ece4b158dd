#include "analyzer/findings/edits_at.h"

#include <algorithm>

#include "analyzer/explain/places.h"

namespace lapscope::analyzer {
namespace {

// Decides which tasks, calls and streams of a program are at requested places.
class At {
 public:
  At(const std::function<bool(const CodePlace&)>& is_wanted, const Sources& program, Cause cause)
      : graph_(program.graph), cause_(cause), places_(program, cause), is_wanted_(is_wanted) {}

  // Whether a task, or the call that issued it, is at a requested place.
  bool task(std::uint32_t t) { return holds_up(t) || call(graph_.tasks[t].step); }

  // Whether a call, or one of the tasks that the call issued, is at a requested place.
  bool step(std::uint32_t s) {
    const Step& step = graph_.steps[s];
    if (call(s)) return true;
    for (std::uint32_t t = step.first_task; t < step.first_task + step.task_count; ++t) {
      if (holds_up(t)) return true;
    }
    return false;
  }

  bool edge(std::uint32_t from, std::uint32_t to) {
    if (cause_ == Cause::default_stream_barrier || to_change(graph_, cause_, from, to) == to) {
      return holds_up(to_change(graph_, cause_, from, to));
    }
    return holds_up(from, to) || call(graph_.tasks[from].step) || call(graph_.tasks[to].step);
  }

  // Whether a task at a requested place delayed a task of the stream. Some fixes change the
  // priority of such a stream.
  bool stream(std::uint32_t s) {
    if (!streams_) streams_ = streams_at();
    return s < streams_->size() && (*streams_)[s];
  }

 private:
  bool is_at(std::uint32_t place) {
    if (place >= answers_.size()) answers_.resize(place + 1);
    if (!answers_[place]) answers_[place] = is_wanted_(places_[place]);
    return *answers_[place];
  }
  bool holds_up(std::uint32_t t) { return is_at(places_.of_task(t)); }
  bool holds_up(std::uint32_t t, std::uint32_t waiting) {
    return is_at(places_.of_holder(t, waiting));
  }
  bool call(std::uint32_t s) { return s != no_index && is_at(places_.of_step(s)); }
  std::vector<bool> streams_at() {
    std::vector<bool> streams;
    for (std::uint32_t t = 0; t < graph_.tasks.size(); ++t) {
      const Binding& binding = graph_.bindings[t];
      if (binding.cause != cause_ || binding.from == no_index) continue;
      if (!holds_up(binding.from, t)) continue;
      const std::uint32_t stream = graph_.tasks[t].stream;
      if (stream >= streams.size()) streams.resize(stream + 1);
      streams[stream] = true;
    }
    return streams;
  }

  const Graph& graph_;
  Cause cause_;
  Places places_;
  const std::function<bool(const CodePlace&)>& is_wanted_;
  std::vector<std::optional<bool>> answers_;  // by place
  std::optional<std::vector<bool>> streams_;  // by stream: a task of it was delayed at a place
};

// Copies edits of edges from `edits` to `kept`. Copies the change of an existing edge if the edge
// is at a requested place. For an added edge, this depends on the task to which the edge leads:
// - If the fix also changes existing edges of the task, copies the added edge if at least one of
//   these changes is copied.
// - Otherwise, copies the added edge if it is at a requested place. For stream-order, always copies
//   the added edge, because it repeats an order that the program already has.
void keep_edges(const Edits& edits, Cause cause, At& at, Edits& kept) {
  const Graph& program = edits.program();
  enum class Fate : std::uint8_t { unchanged, goes, stays };
  std::vector<Fate> fates(program.tasks.size());  // by task: what happens to its edge changes
  std::uint32_t to = 0;
  for (std::uint32_t e = 0; e < program.edges.size(); ++e) {
    while (program.edge_begin[to + 1] <= e) ++to;
    if (edits.edges[e] == program.edges[e]) continue;
    if (at.edge(program.edges[e].from, to)) {
      kept.edges.edit(e) = edits.edges[e];
      fates[to] = Fate::stays;
    } else {
      fates[to] = std::max(fates[to], Fate::goes);
    }
  }
  for (const NewEdge& added : edits.added) {
    const bool is_kept = fates[added.to] == Fate::unchanged
                             ? cause == Cause::stream_order || at.edge(added.edge.from, added.to)
                             : fates[added.to] == Fate::stays;
    if (is_kept) kept.added.push_back(added);
  }
}

}  // namespace

std::optional<Edits> edits_at(const std::function<bool(const CodePlace&)>& is_wanted,
                              const Edits& edits, const Sources& program, Cause cause) {
  At at(is_wanted, program, cause);
  Edits kept(program.graph);
  kept.more_waits = edits.more_waits;
  kept.more_uses = edits.more_uses;
  kept.more_demands = edits.more_demands;
  kept.stand_ins = edits.stand_ins;
  kept.is_in_doubt = edits.is_in_doubt;
  const auto is_task_at = [&at](std::uint32_t t) { return at.task(t); };
  kept.tasks = edits.tasks.filtered(is_task_at);
  kept.lengths = edits.lengths.filtered(is_task_at);
  kept.bindings = edits.bindings.filtered(is_task_at);
  kept.steps = edits.steps.filtered([&at](std::uint32_t s) { return at.step(s); });
  kept.streams = edits.streams.filtered([&at](std::uint32_t s) { return at.stream(s); });
  keep_edges(edits, cause, at, kept);
  const bool is_any = !kept.tasks.empty() || !kept.lengths.empty() || !kept.bindings.empty() ||
                      !kept.steps.empty() || !kept.streams.empty() || !kept.edges.empty();
  if (!is_any) return std::nullopt;
  return kept;
}

}  // namespace lapscope::analyzer
