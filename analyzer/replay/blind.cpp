#include "analyzer/replay/blind.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {
namespace {

using Key = std::array<std::uint64_t, 5>;

struct HashKey {
  std::size_t operator()(const Key& key) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t part : key) {
      hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

// The two middle times of a class. If one member is left out, the median of the other members is
// one of these two times.
class Middle {
 public:
  explicit Middle(std::span<Ns> values) : count_(values.size()) {
    if (count_ < 2) return;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((count_ - 2) / 2);
    std::nth_element(values.begin(), middle, values.end());
    lower_ = *middle;
    upper_ = *std::min_element(middle + 1, values.end());
  }

  // Returns the (lower) median of the class without one member, whose time is `own`. Returns empty
  // if there is no other member.
  std::optional<Ns> of_others(Ns own) const {
    if (count_ < 2) return std::nullopt;
    return lower_ < own ? lower_ : upper_;
  }

 private:
  std::size_t count_ = 0;
  Ns lower_ = 0;
  Ns upper_ = 0;
};

// For each value, returns the median of the other values in its class. key(i, level) returns the
// class of value i, or empty. Level 0 has the narrowest classes. Uses the narrowest class that has
// other values. If no class has other values, returns the value itself.
template <class KeyOf>
std::vector<Ns> of_others(std::vector<Ns> own, std::size_t levels, KeyOf&& key) {
  std::vector<Ns> result = own;
  std::vector<bool> is_found(own.size());
  for (std::size_t level = 0; level < levels; ++level) {
    std::unordered_map<Key, std::uint32_t, HashKey> numbers;
    std::vector<std::uint32_t> class_of(own.size(), no_index);
    std::vector<std::uint32_t> begin;  // by class: index of its first value in `values`
    bool is_missing = false;
    for (std::uint32_t i = 0; i < own.size(); ++i) {
      const std::optional<Key> of = key(i, level);
      if (!of) continue;
      const auto number = static_cast<std::uint32_t>(numbers.size());
      class_of[i] = numbers.try_emplace(*of, number).first->second;
      begin.resize(numbers.size());
      ++begin[class_of[i]];
      is_missing = is_missing || !is_found[i];
    }
    if (!is_missing) break;  // all values have a median, so wider classes are not needed
    std::exclusive_scan(begin.begin(), begin.end(), begin.begin(), 0U);
    std::vector<std::uint32_t> next = begin;
    std::vector<Ns> values(own.size());
    for (std::uint32_t i = 0; i < own.size(); ++i) {
      if (class_of[i] != no_index) values[next[class_of[i]]++] = own[i];
    }
    std::vector<Middle> middles;
    middles.reserve(begin.size());
    for (std::size_t c = 0; c < begin.size(); ++c) {
      middles.emplace_back(std::span(values).subspan(begin[c], next[c] - begin[c]));
    }
    for (std::uint32_t i = 0; i < own.size(); ++i) {
      if (class_of[i] == no_index || is_found[i]) continue;
      const auto value = middles[class_of[i]].of_others(own[i]);
      if (!value) continue;
      result[i] = *value;
      is_found[i] = true;
    }
  }
  return result;
}

// The class of an op. A field is 0 if the class does not depend on it.
struct OpClass {
  std::uint64_t engine = 0;
  std::uint64_t what = 0;
};

// Returns the earliest call of each function in each process.
std::set<std::uint32_t> first_calls_of(const Trace& trace) {
  const Calls& calls = trace.calls;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> first;  // by process and name
  // By name: the last thread that called the function.
  std::vector<std::uint32_t> seen(trace.names.size(), no_index);
  for (std::uint32_t t = 0; t < calls.threads.size(); ++t) {
    const Calls::Thread& thread = calls.threads[t];
    const std::uint32_t pid = pid_of(thread.global_tid);
    for (std::uint32_t call = thread.first; call < thread.last; ++call) {
      if (std::exchange(seen[calls.name[call]], t) == t) continue;
      std::uint32_t& earliest = first.try_emplace({pid, calls.name[call]}, call).first->second;
      if (calls.start[call] < calls.start[earliest]) earliest = call;
    }
  }
  std::set<std::uint32_t> result;
  for (const auto& [function, call] : first) result.insert(call);
  return result;
}

class Blinding {
 public:
  Blinding(const Trace& trace, Graph& graph)
      : trace_(trace), graph_(graph), first_calls_(first_calls_of(trace)), is_start_(starts()) {}

  void apply() {
    std::vector<Ns> offsets = offsets_of_others();
    std::vector<Ns> lags = lags_of_others();
    std::vector<Ns> overheads = of_steps(&Step::call_overhead);
    std::vector<Ns> latencies = of_steps(&Step::return_latency);
    graph_.issue_offsets = std::move(offsets);
    std::vector<Binding>& bindings = graph_.bindings.edit();
    for (std::uint32_t t = 0; t < bindings.size(); ++t) bindings[t].lag = lags[t];
    std::vector<Step>& steps = graph_.steps.edit();
    for (std::uint32_t s = 0; s < steps.size(); ++s) {
      steps[s].call_overhead = overheads[s];
      steps[s].return_latency = latencies[s];
    }
    graph_.is_blind = true;
  }

 private:
  OpClass class_of(const Task& task) const {
    const auto engine = static_cast<std::uint64_t>(task.engine) + 1;
    if (task.op == no_index) return {engine, 0};
    const Ops& ops = trace_.devices[task.device].ops;
    const std::uint64_t size = std::bit_width(static_cast<std::uint64_t>(ops.bytes[task.op]));
    const std::uint64_t shape =
        ops.kind[task.op] == OpKind::kernel ? std::uint64_t{ops.geometry[task.op]} : size;
    return {engine << 8 | static_cast<std::uint64_t>(ops.kind[task.op]),
            std::uint64_t{ops.name[task.op]} << 32 | (shape & no_index)};
  }

  // The class of a call: its function, whether it loaded code, its number of ops, and the class of
  // its first op.
  Key class_of(const Step& step) const {
    OpClass issued;
    if (step.task_count > 0) issued = class_of(graph_.tasks[step.first_task]);
    return {1 + std::uint64_t{step.loads}, function_of(step), step.task_count, issued.engine,
            issued.what};
  }
  Key function_class_of(const Step& step) const {
    return {3, function_of(step), std::uint64_t{step.loads}, 0, 0};
  }
  std::uint64_t function_of(const Step& step) const {
    return step.call == no_index ? no_index : trace_.calls.name[step.call];
  }

  // Returns, for each step, whether it keeps its recorded times. Two kinds of steps keep them,
  // because they create contexts and load code (CUDA C++ Programming Guide, "Initialization"):
  // - the steps of a thread before its first step that issues work,
  // - the first call of each function in a process.
  std::vector<bool> starts() const {
    std::vector<bool> is_start(graph_.steps.size());
    for (std::uint32_t s = 0; s < is_start.size(); ++s) {
      is_start[s] = first_calls_.contains(graph_.steps[s].call);
    }
    for (const ThreadSteps& thread : graph_.threads) {
      for (std::uint32_t s = thread.first; s < thread.last; ++s) {
        if (graph_.steps[s].task_count > 0) break;
        is_start[s] = true;
      }
    }
    return is_start;
  }

  std::vector<Ns> of_steps(Ns Step::*time) const {
    std::vector<Ns> own;
    own.reserve(graph_.steps.size());
    for (const Step& step : graph_.steps) own.push_back(step.*time);
    return of_others(std::move(own), 2, [&](std::uint32_t s, std::size_t level) {
      const Step& step = graph_.steps[s];
      if (is_start_[s]) return std::optional<Key>();
      // Only a call that waits for something has a return latency.
      if (time == &Step::return_latency && step.wait_count == 0) return std::optional<Key>();
      return std::optional(level == 0 ? class_of(step) : function_class_of(step));
    });
  }

  std::vector<Ns> offsets_of_others() const {
    return of_others(graph_.issue_offsets.values(), 2, [&](std::uint32_t t, std::size_t level) {
      const Task& task = graph_.tasks[t];
      // Host functions have no recorded start, so their offsets do not change.
      if (task.op == no_index || task.step == no_index || is_start_[task.step]) {
        return std::optional<Key>();
      }
      const Step& step = graph_.steps[task.step];
      if (level == 1) return std::optional(function_class_of(step));
      Key key = class_of(step);
      const OpClass op = class_of(task);
      key[3] = op.engine;
      key[4] = op.what;
      return std::optional(key);
    });
  }

  // Returns, for each task, the median lag of the other tasks in its class. The tasks of a class
  // have the same Binding::cause, except in the two widest levels of classes.
  std::vector<Ns> lags_of_others() const {
    std::vector<Ns> own;
    own.reserve(graph_.tasks.size());
    for (const Binding& binding : graph_.bindings) own.push_back(binding.lag);
    return of_others(std::move(own), 5, [&](std::uint32_t t, std::size_t level) {
      const Binding& binding = graph_.bindings[t];
      const Task& task = graph_.tasks[t];
      if (task.op == no_index || task.began_early || binding.release == never) {
        return std::optional<Key>();
      }
      const auto waited_for = static_cast<std::uint64_t>(binding.cause) + 1;
      const auto engine = static_cast<std::uint64_t>(graph_.tasks[t].engine) + 1;
      const OpClass op = class_of(graph_.tasks[t]);
      const Key keys[] = {{waited_for, op.engine, op.what, 0, 0},
                          {waited_for, 0, 0, engine, 0},
                          {waited_for, 0, 0, 0, 0},
                          {0, 0, 0, engine, 0},
                          {0, 0, 0, 0, 1}};
      return std::optional(keys[level]);
    });
  }

  const Trace& trace_;
  Graph& graph_;
  const std::set<std::uint32_t> first_calls_;
  const std::vector<bool> is_start_;
};

}  // namespace

Graph blind(const Trace& trace, Graph graph) {
  Blinding(trace, graph).apply();
  return graph;
}

}  // namespace lapscope::analyzer
