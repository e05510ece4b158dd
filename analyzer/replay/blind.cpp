#include "analyzer/replay/blind.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <utility>

namespace lapscope::analyzer {
namespace {

using Key = std::array<std::uint64_t, 5>;

// What the members of classes take.
class Classes {
 public:
  void add(const Key& key, std::int64_t value) { values_[key].push_back(value); }

  void sort() {
    for (auto& [key, values] : values_) std::sort(values.begin(), values.end());
  }

  // The median of those of the class but one that takes `own`; of an even number the lower one.
  std::optional<std::int64_t> of_others(const Key& key, std::int64_t own) const {
    const std::vector<std::int64_t>& values = values_.at(key);
    if (values.size() < 2) return std::nullopt;
    const auto place = std::lower_bound(values.begin(), values.end(), own);
    const auto left_out = static_cast<std::size_t>(place - values.begin());
    const std::size_t middle = (values.size() - 2) / 2;
    return values[middle < left_out ? middle : middle + 1];
  }

 private:
  std::map<Key, std::vector<std::int64_t>> values_;
};

// Something that is taken from others, as many as there are.
struct Sample {
  std::int64_t own = 0;
  std::array<Key, 5> keys{};  // of its classes, the narrowest first
  std::size_t key_count = 0;
};

// What others take in place of each; its own where there are none.
std::vector<std::int64_t> of_others(const std::vector<Sample>& samples) {
  Classes classes;
  for (const Sample& sample : samples) {
    for (std::size_t k = 0; k < sample.key_count; ++k) classes.add(sample.keys[k], sample.own);
  }
  classes.sort();
  std::vector<std::int64_t> result;
  result.reserve(samples.size());
  for (const Sample& sample : samples) {
    std::optional<std::int64_t> value;
    for (std::size_t k = 0; k < sample.key_count && !value; ++k) {
      value = classes.of_others(sample.keys[k], sample.own);
    }
    result.push_back(value.value_or(sample.own));
  }
  return result;
}

// What a thing is of: zeros stand for all.
struct OpClass {
  std::uint64_t engine = 0;
  std::uint64_t what = 0;
};

class Blinding {
 public:
  Blinding(const Trace& trace, Graph& graph) : trace_(trace), graph_(graph) {}

  void apply() {
    std::vector<std::int64_t> offsets = of_tasks(&Task::issue_offset);
    std::vector<std::int64_t> lags = lags_of_others();
    std::vector<std::int64_t> busy = of_steps(&Step::busy);
    std::vector<std::int64_t> tails = of_steps(&Step::tail);
    for (std::uint32_t t = 0; t < graph_.tasks.size(); ++t) {
      graph_.tasks[t].issue_offset = offsets[t];
      graph_.bindings[t].lag = lags[t];
    }
    for (std::uint32_t s = 0; s < graph_.steps.size(); ++s) {
      graph_.steps[s].busy = busy[s];
      graph_.steps[s].tail = tails[s];
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

  // What a call did: its function, whether code was loaded, how many ops it issued.
  Key class_of(const Step& step) const {
    OpClass issued;
    if (step.task_count > 0) issued = class_of(graph_.tasks[step.first_task]);
    return {1 + std::uint64_t{step.loads}, function_of(step), step.task_count, issued.engine,
            issued.what};
  }
  Key function_class_of(const Step& step) const { return {3, function_of(step), 0, 0, 0}; }
  std::uint64_t function_of(const Step& step) const {
    return step.call == no_index ? no_index : trace_.calls.name[step.call];
  }

  std::vector<std::int64_t> of_steps(std::int64_t Step::*time) const {
    std::vector<Sample> samples;
    samples.reserve(graph_.steps.size());
    for (const Step& step : graph_.steps) {
      Sample sample{step.*time, {}, 0};
      // Only a call that waits for something has a tail.
      if (time != &Step::tail || step.wait_count > 0) {
        sample.keys[sample.key_count++] = class_of(step);
        sample.keys[sample.key_count++] = function_class_of(step);
      }
      samples.push_back(sample);
    }
    return of_others(samples);
  }

  std::vector<std::int64_t> of_tasks(std::int64_t Task::*time) const {
    std::vector<Sample> samples;
    samples.reserve(graph_.tasks.size());
    for (const Task& task : graph_.tasks) {
      Sample sample{task.*time, {}, 0};
      // Host functions in a graph have their order there.
      if (task.op != no_index && task.step != no_index) {
        const Step& step = graph_.steps[task.step];
        Key own = class_of(step);
        const OpClass op = class_of(task);
        own[3] = op.engine;
        own[4] = op.what;
        sample.keys[sample.key_count++] = own;
        sample.keys[sample.key_count++] = function_class_of(step);
      }
      samples.push_back(sample);
    }
    return of_others(samples);
  }

  // The way from the host is the same whatever that did before.
  std::vector<std::int64_t> lags_of_others() const {
    std::vector<Sample> samples;
    samples.reserve(graph_.tasks.size());
    for (std::uint32_t t = 0; t < graph_.tasks.size(); ++t) {
      const Binding& binding = graph_.bindings[t];
      Sample sample{binding.lag, {}, 0};
      if (graph_.tasks[t].op != no_index && binding.release != never) {
        const Cause cause = is_of_host(binding.cause) ? Cause::launch_overhead : binding.cause;
        const auto waited_for = static_cast<std::uint64_t>(cause) + 1;
        const auto engine = static_cast<std::uint64_t>(graph_.tasks[t].engine) + 1;
        const OpClass op = class_of(graph_.tasks[t]);
        sample.keys = {Key{waited_for, op.engine, op.what, 0, 0}, Key{waited_for, 0, 0, engine, 0},
                       Key{waited_for, 0, 0, 0, 0}, Key{0, 0, 0, engine, 0}, Key{0, 0, 0, 0, 1}};
        sample.key_count = sample.keys.size();
      }
      samples.push_back(sample);
    }
    return of_others(samples);
  }

  const Trace& trace_;
  Graph& graph_;
};

}  // namespace

Graph blind(const Trace& trace, Graph graph) {
  Blinding(trace, graph).apply();
  return graph;
}

}  // namespace lapscope::analyzer
