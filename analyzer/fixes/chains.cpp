#include "analyzer/fixes/chains.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// Threads that take turns form a group, because such threads probably need each other's results.
// Returns a map from the global tid of each thread in a group to the global tid of the group's
// representative. A thread that issues no work is in no group.
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

std::uint8_t target_of(const Trace& trace, const Task& task) {
  return task.op == no_index ? no_device : trace.devices[task.device].ops.target[task.op];
}

bool brings_in(const Trace& trace, const Task& task) {
  const bool is_in = task.op != no_index && task.engine == Engine::h2d;
  return is_in || target_of(trace, task) != no_device;
}

}  // namespace

Chains::Chains(const Trace& trace, const Graph& graph, std::uint32_t depth,
               const Independence* independence)
    : trace_(trace),
      graph_(graph),
      depth_(depth),
      launches_(trace, graph),
      independence_(independence),
      open_(trace, graph),
      first_of_(first_of_turns(graph)) {}

const Chains::Place& Chains::pass_task(std::uint32_t t) {
  const Task& task = graph_.tasks[t];
  const bool communicates = rule::communication_apart && task.communicates && !independence_;
  Lane& lane = lanes_[{task.stream, thread_of(task), communicates}];
  place_ = {task.stream};
  if (independence_ && lane.last != no_index &&
      independence_->of_all_behind(task) != Grounds::none) {
    leave_behind(lane, t);
    return place_;
  }
  const bool fetches = independence_ && lane.last != no_index &&
                       independence_->of(graph_.tasks[lane.last], task) == Grounds::data_on_host;
  const bool is_first = fetches || begins(lane, task);
  if (is_first) lane.needed = fetches ? lane.last : no_index;
  if (!is_first && !independence_ && open_.is_open(graph_.tasks[lane.last], task)) {
    join_row(lane, t);
  } else {
    go_on(lane, t, is_first, fetches ? assumed::buffers_for_copies : depth_);
  }
  if (!brings_in(trace_, task)) wait_for(std::exchange(lane.needed, no_index));
  if (communicates) place_.computed = lanes_[{task.stream, thread_of(task), false}].last;
  return place_;
}

const Chains::Place& Chains::pass_launch(const Step& launch) {
  std::uint32_t last = launch.first_task;
  for (std::uint32_t t = last; t < launch.first_task + launch.task_count; ++t) {
    if (graph_.times.tasks[last].end <= graph_.times.tasks[t].end) last = t;
  }
  place_ = {launches_.stream_of(launch)};
  Lane& lane = lanes_[{place_.stream, thread_of(graph_.tasks[last]), false}];
  const Launched ahead = lane.launch;
  const Launched own = launched(trace_, graph_, launches_, launch);
  const bool is_apart =
      independence_ ? independence_->of(ahead, own) != Grounds::none : are_two(ahead, own);
  go_on(lane, last, is_apart || lane.last == no_index, depth_);
  lane.launch = own;
  std::uint32_t& before = own.executable == 0
                              ? lane.launched
                              : of_graph_.try_emplace(own.executable, no_index).first->second;
  wait_for(std::exchange(before, last));
  if (own.executable != 0) lane.launched = last;
  wait_for(std::exchange(lane.needed, no_index));
  return place_;
}

// Whether a task begins a chain. The first task of a lane does. For other tasks:
// - With `independence_`: the trace shows that the task needs nothing from the ops before it.
// - Without `independence_`: the task is a copy to a device, and the op right before it is not a
//   copy to the same device.
bool Chains::begins(const Lane& lane, const Task& task) const {
  if (lane.last == no_index) return true;
  const Task& ahead = graph_.tasks[lane.last];
  if (independence_) return begins_anew(independence_->of(ahead, task));
  const bool is_more =
      brings_in(trace_, ahead) && target_of(trace_, ahead) == target_of(trace_, task);
  return brings_in(trace_, task) && !is_more;
}

// Adds a task or the tasks of a launch to the latest chain, or to a new chain if `begins` is set.
// `last` is the task among them that ends last. At most `depth` chains run at once.
void Chains::go_on(Lane& lane, std::uint32_t last, bool begins, std::uint32_t depth) {
  if (begins) lane.ends.emplace_back();
  const std::size_t chain = lane.ends.size() - 1;
  if (!begins) wait_for(lane.ends[chain]);
  if (begins && chain >= depth) wait_for(lane.ends[chain - depth]);
  place_.is_apart = begins || lane.has_left;
  lane.row_behind = place_.behind;
  lane.ends[chain] = {last};
  tell_beside(lane);
  lane.last = last;
  lane.has_left = false;
  lane.launch = {};
}

// Lets a kernel run beside the kernels at the end of the latest chain. At most depth_ of these
// kernels run at once.
void Chains::join_row(Lane& lane, std::uint32_t t) {
  std::vector<std::uint32_t>& row = lane.ends.back();
  wait_for(lane.row_behind);
  if (row.size() == depth_) {
    wait_for(row.front());
    row.erase(row.begin());
  }
  place_.is_apart = depth_ > 1;
  row.push_back(t);
  tell_beside(lane);
  lane.last = t;
}

// Adds a copy to the host whose data no later op needs. This copy waits for the previous such copy,
// and for the latest other op. Consecutive such copies are a group. The ops after group n wait for
// group n - 1 (Lane::needed), but not for group n.
void Chains::leave_behind(Lane& lane, std::uint32_t t) {
  tell_beside(lane);
  wait_for(lane.last);
  wait_for(lane.copied_out);
  if (!lane.has_left) lane.needed = lane.copied_out;
  lane.has_left = true;
  lane.copied_out = t;
  lane.launch = {};
}

// Adds the tasks of Place::beside.
void Chains::tell_beside(const Lane& lane) {
  const std::size_t own = lane.ends.size() - 1;
  for (std::size_t chain = own - std::min<std::size_t>(own, depth_ - 1); chain <= own; ++chain) {
    place_.beside.insert(place_.beside.end(), lane.ends[chain].begin(), lane.ends[chain].end());
  }
  if (lane.copied_out != no_index) place_.beside.push_back(lane.copied_out);
}

void Chains::wait_for(const std::vector<std::uint32_t>& tasks) {
  for (const std::uint32_t task : tasks) wait_for(task);
}

void Chains::wait_for(std::uint32_t task) {
  std::vector<std::uint32_t>& behind = place_.behind;
  if (task == no_index || std::find(behind.begin(), behind.end(), task) != behind.end()) return;
  behind.push_back(task);
}

// Returns the global tid of the thread whose chain a task belongs to. Threads that take turns have
// the tid of their representative. Returns 0 for tasks without a call, and for all tasks if
// `independence_` is set.
std::int64_t Chains::thread_of(const Task& task) const {
  if (task.step == no_index || independence_) return 0;
  const std::int64_t thread = lapscope::analyzer::thread_of(graph_, task.step).global_tid;
  const auto known = first_of_.find(thread);
  return known == first_of_.end() ? thread : known->second;
}

}  // namespace lapscope::analyzer
