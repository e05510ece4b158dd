#include <algorithm>

#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/replay/replay.h"

namespace lapscope::analyzer {
namespace {

// What a stream of the graph does in all.
struct Mix {
  std::int64_t to_device = 0;  // ns
  std::int64_t to_host = 0;
  std::int64_t other = 0;
};

std::vector<Mix> mixes(const Graph& graph) {
  std::vector<Mix> streams(graph.streams.size());
  for (const Task& task : graph.tasks) {
    Mix& mix = streams[task.stream];
    std::int64_t& time = task.engine == Engine::h2d   ? mix.to_device
                         : task.engine == Engine::d2h ? mix.to_host
                                                      : mix.other;
    time += task.end - task.start;
  }
  return streams;
}

bool only_copies_one_way(const Mix& mix) {
  return mix.other == 0 && (mix.to_device == 0) != (mix.to_host == 0);
}

void turn_round(Task& task) {
  task.engine = task.engine == Engine::h2d ? Engine::d2h : Engine::h2d;
}

std::int64_t last_end(const Graph& graph) {
  const Replayed replayed = replay(graph);
  const auto last = std::max_element(replayed.end.begin(), replayed.end.end());
  return last == replayed.end.end() ? never : *last;
}

// Of the copies that wait for the engine, in streams that only copy, every second one goes the
// other way: the most that can be gained without copying less. Where the other way is as busy
// nothing is gained, and none is turned.
void apply(const Trace&, double, Graph& graph) {
  const std::vector<Mix> streams = mixes(graph);
  std::vector<std::uint32_t> turned;
  bool turn = false;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    if (graph.bindings[t].cause != Cause::copy_engine) continue;
    if (!only_copies_one_way(streams[graph.tasks[t].stream])) continue;
    turn = !turn;
    if (turn) turned.push_back(t);
  }
  if (turned.empty()) return;
  const std::int64_t before = last_end(graph);
  for (const std::uint32_t t : turned) turn_round(graph.tasks[t]);
  if (last_end(graph) <= before) return;
  for (const std::uint32_t t : turned) turn_round(graph.tasks[t]);
}

// A program whose busiest engine is a copy engine is as good as it gets. But streams that do
// nothing except copy the same way were meant to run side by side, and never will.
bool is_plausible(const Trace&, const Graph& graph) {
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

const Fix copy_other_way{Cause::copy_engine,
                         "half of the copies that wait for the engine go the other way",
                         "",
                         true,
                         apply,
                         is_plausible};

}  // namespace lapscope::analyzer
