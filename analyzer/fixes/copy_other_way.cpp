#include <algorithm>
#include <array>

#include "analyzer/fixes/fix.h"
#include "analyzer/replay/replay.h"

namespace lapscope::analyzer {
namespace {

// The total durations in ns of a stream's copies to the device, its copies to the host, and its
// other tasks.
struct Mix {
  Ns to_device = 0;
  Ns to_host = 0;
  Ns other = 0;
};

std::vector<Mix> mixes(const Graph& graph) {
  std::vector<Mix> streams(graph.streams.size());
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    Mix& mix = streams[task.stream];
    Ns& time = task.engine == Engine::h2d   ? mix.to_device
               : task.engine == Engine::d2h ? mix.to_host
                                            : mix.other;
    time += graph.times.tasks[t].length();
  }
  return streams;
}

bool only_copies_one_way(const Mix& mix) {
  return mix.other == 0 && (mix.to_device == 0) != (mix.to_host == 0);
}

Engine other_way(Engine engine) { return engine == Engine::h2d ? Engine::d2h : Engine::h2d; }

Ns last_end(const Graph& graph) {
  Ns last = never;
  for (const Interval& task : replay_tasks(graph).tasks) last = std::max(last, task.end);
  return last;
}

// Returns the copies that wait for their engine, and the copies behind them in the same stream.
// Considers only streams that copy in one direction and do nothing else. The result is sorted by
// stream, in the order in which the streams began to wait.
std::vector<std::uint32_t> waiting_copies(const Graph& graph) {
  const std::vector<Mix> streams = mixes(graph);
  std::vector<std::vector<std::uint32_t>> waiting(streams.size());
  std::vector<std::uint32_t> order;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const std::uint32_t stream = graph.tasks[t].stream;
    if (!only_copies_one_way(streams[stream])) continue;
    std::vector<std::uint32_t>& own = waiting[stream];
    const Binding& binding = graph.bindings[t];
    const bool is_behind = binding.cause == Cause::stream_order && !own.empty();
    if (binding.cause != Cause::copy_engine && !is_behind) continue;
    if (own.empty()) order.push_back(stream);
    own.push_back(t);
  }
  std::vector<std::uint32_t> copies;
  for (const std::uint32_t stream : order) {
    copies.insert(copies.end(), waiting[stream].begin(), waiting[stream].end());
  }
  return copies;
}

// Reverses waiting copies, so that both directions have about the same work. Does not reverse a
// copy if its new direction would then have more work than its old direction. Reverses nothing if
// the replay with reversed copies ends later than the replay of the unchanged graph.
Edits copy_other_way_edits(const Trace& trace, const Graph& graph, double) {
  struct Ways {
    std::array<Ns, all_engines.size()> ns{};
  };
  std::vector<Ways> busy(trace.devices.size());
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (task.op == no_index) continue;
    busy[task.device].ns[static_cast<std::size_t>(task.engine)] += graph.lengths[t].work;
  }
  std::vector<std::uint32_t> turned;
  for (const std::uint32_t t : waiting_copies(graph)) {
    const Task& task = graph.tasks[t];
    if (graph.traits[task.device].one_copy_engine) continue;
    auto& ns = busy[task.device].ns;
    Ns& own = ns[static_cast<std::size_t>(task.engine)];
    Ns& other = ns[static_cast<std::size_t>(other_way(task.engine))];
    const Ns work = graph.lengths[t].work;
    if (other + work > own - work) continue;
    own -= work;
    other += work;
    turned.push_back(t);
  }
  Edits edits(graph);
  for (const std::uint32_t t : turned) {
    Engine& engine = edits.tasks.edit(t).engine;
    engine = other_way(engine);
  }
  if (!turned.empty() && last_end(edited(edits)) > last_end(graph)) return Edits(graph);
  return edits;
}

// Whether there are several streams whose only work is copies in the same direction. A program uses
// such streams so that copies overlap, but these copies share one copy engine. If there are no such
// streams, a busy copy engine is not the program's fault.
bool copy_other_way_is_plausible(const Trace&, const Graph& graph) {
  std::int64_t to_device = 0;
  std::int64_t to_host = 0;
  for (const Mix& mix : mixes(graph)) {
    if (!only_copies_one_way(mix)) continue;
    to_device += mix.to_device > 0;
    to_host += mix.to_host > 0;
  }
  return to_device > 1 || to_host > 1;
}

}  // namespace

const Fix copy_other_way{Cause::copy_engine, false, true, copy_other_way_edits,
                         copy_other_way_is_plausible};

}  // namespace lapscope::analyzer
