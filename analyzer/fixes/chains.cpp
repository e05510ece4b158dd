#include "analyzer/fixes/chains.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// Of threads that issue work and take turns: by thread, one that stands for all that it takes turns
// with. Where they do different work, one needs what the other does. A thread that only waits joins
// nobody.
std::map<std::int64_t, std::int64_t> first_of_turns(const Graph& graph) {
  if (!rule::turns_are_one_chain) return {};
  std::set<std::int64_t> issues;
  for (const Task& task : graph.tasks) {
    if (task.step != no_index) issues.insert(thread_of(graph, task.step).global_tid);
  }
  std::map<std::int64_t, std::int64_t> first;
  const auto find = [&first](std::int64_t thread) {
    while (first.try_emplace(thread, thread).first->second != thread) thread = first[thread];
    return thread;
  };
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    const Step& step = graph.steps[s];
    if (step.after == no_index || step.after_kind != After::turn) continue;
    const std::int64_t thread = thread_of(graph, s).global_tid;
    const std::int64_t other = thread_of(graph, step.after).global_tid;
    if (issues.count(thread) + issues.count(other) == 2) first[find(thread)] = find(other);
  }
  for (auto& [thread, other] : first) other = find(other);
  return first;
}

}  // namespace

Chains::Chains(const Trace& trace, const Graph& graph, const Tiles* shown)
    : trace_(trace),
      graph_(graph),
      launches_(trace, graph),
      shown_(shown),
      first_of_(first_of_turns(graph)) {}

std::vector<std::uint32_t> Chains::Place::beside(std::uint32_t depth) const {
  const std::uint32_t count = std::min(chain, depth - 1);
  std::vector<std::uint32_t> result(ends->begin() + (chain - count), ends->begin() + chain);
  if (copied_out != no_index) result.push_back(copied_out);
  return result;
}

Chains::Place Chains::pass_task(std::uint32_t t) {
  const Task& task = graph_.tasks[t];
  const bool communicates = rule::communication_apart && task.communicates && !shown_;
  const Key key{task.stream, thread_of(task), communicates};
  Lane& lane = lanes_[key];
  if (shown_ && shown_->leaves_behind(task) && lane.last != no_index) return leave_behind(lane, t);
  const bool brings = brings_in(task);
  bool begins = brings && !(lane.was_bringing && lane.target == target_of(task));
  const bool fetches = begins && shown_ && shown_->fetches_ahead(task);
  if (begins && shown_) begins = fetches || shown_->begins_alone(task) || sends_back(lane, task);
  if (begins) lane.needed = fetches ? lane.last : no_index;
  Place place = pass(lane, begins, t);
  place.is_ahead = fetches;
  if (!brings) place.needed = std::exchange(lane.needed, no_index);
  lane.was_bringing = brings;
  lane.target = target_of(task);
  lane.graph = 0;
  if (communicates) place.computed = lanes_[{task.stream, thread_of(task), false}].last;
  return place;
}

Chains::Place Chains::pass_launch(const Step& launch) {
  std::uint32_t last = launch.first_task;
  for (std::uint32_t t = last; t < launch.first_task + launch.task_count; ++t) {
    if (graph_.tasks[last].end <= graph_.tasks[t].end) last = t;
  }
  Lane& lane = lanes_[{launches_.stream_of(launch), thread_of(graph_.tasks[last]), false}];
  const std::uint64_t graph = launches_.executable_of(launch);
  std::vector<std::uint64_t> nodes = nodes_of(launch);
  const bool is_other = rule::other_graph && graph != 0 && lane.graph != 0 && lane.graph != graph;
  Place place = pass(lane, is_other && (!shown_ || lane.nodes == nodes), last);
  place.needed = std::exchange(lane.needed, no_index);
  lane.was_bringing = false;
  lane.target = no_device;
  lane.graph = graph;
  lane.nodes = std::move(nodes);
  std::uint32_t& known =
      graph == 0 ? lane.launched : of_graph_.try_emplace(graph, no_index).first->second;
  place.launched = std::exchange(known, last);
  if (graph != 0) lane.launched = last;
  return place;
}

// Something whose end is that of `last`.
Chains::Place Chains::pass(Lane& lane, bool begins, std::uint32_t last) {
  const bool is_first = lane.last == no_index || begins;
  if (is_first) lane.ends.push_back(no_index);
  Place place;
  place.chain = static_cast<std::uint32_t>(lane.ends.size()) - 1;
  place.before = is_first ? no_index : lane.last;
  place.copied_out = lane.copied_out;
  place.left = std::exchange(lane.left, {});
  place.ends = &lane.ends;
  lane.ends.back() = last;
  lane.last = last;
  return place;
}

// A copy out, which stays behind what is ahead of it, and is ahead of nothing but copies out.
Chains::Place Chains::leave_behind(Lane& lane, std::uint32_t t) {
  Place place;
  place.chain = static_cast<std::uint32_t>(lane.ends.size()) - 1;
  place.before = lane.last;
  place.needed = place.copied_out = lane.copied_out;
  place.ends = &lane.ends;
  if (lane.left.empty()) lane.needed = lane.copied_out;
  lane.left.push_back(t);
  lane.copied_out = t;
  lane.was_bringing = false;
  lane.graph = 0;
  return place;
}

std::int64_t Chains::thread_of(const Task& task) const {
  if (task.step == no_index || shown_) return 0;
  const Calls& calls = trace_.calls;
  const auto tid = calls.threads[calls.thread_of(graph_.steps[task.step].call)].global_tid;
  const auto known = first_of_.find(tid);
  return known == first_of_.end() ? tid : known->second;
}

bool Chains::brings_in(const Task& task) const {
  return task.op != no_index && (task.engine == Engine::h2d || target_of(task) != no_device);
}

std::uint8_t Chains::target_of(const Task& task) const {
  return task.op == no_index ? no_device : trace_.devices[task.device].ops.target[task.op];
}

// Right after a copy to another device one from there to here: what was brought there is here.
bool Chains::sends_back(const Lane& lane, const Task& task) const {
  if (!rule::sends_back || lane.last == no_index || lane.target == no_device) return false;
  return lane.target == trace_.devices[task.device].id &&
         target_of(task) == trace_.devices[graph_.tasks[lane.last].device].id;
}

std::vector<std::uint64_t> Chains::nodes_of(const Step& launch) const {
  std::vector<std::uint64_t> nodes;
  for (std::uint32_t t = launch.first_task; t < launch.first_task + launch.task_count; ++t) {
    const Task& task = graph_.tasks[t];
    if (task.op != no_index) nodes.push_back(code_of_op(trace_.devices[task.device].ops, task.op));
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace lapscope::analyzer
