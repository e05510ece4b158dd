#include "analyzer/graph/constraints/small_copies.h"

#include <algorithm>

#include "analyzer/graph/constraint.h"
#include "analyzer/graph/copy_rates.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

class RunFinder {
 public:
  RunFinder(const Trace& trace, const Issued& program, const Times& times)
      : trace_(trace), program_(program), times_(times), rates_(copy_rates(trace)), waits_(1) {
    for (const Step& step : program.steps) {
      const bool issues = cause_of_call(trace.calls.kind[step.call]) == Cause::launch_overhead;
      waits_.push_back(waits_.back() + (issues ? 0U : 1U));
    }
  }

  std::vector<CopyRun> find() {
    std::vector<CopyRun> open(program_.streams.size());
    for (std::uint32_t t = 0; t < program_.tasks.size(); ++t) {
      const Task& task = program_.tasks[t];
      CopyRun& run = open[task.stream];
      const bool is_one = is_small(t);
      if (!is_one || !goes_on(run, task)) close(run);
      if (is_one) run.tasks.push_back(t);
    }
    for (CopyRun& run : open) close(run);
    std::ranges::sort(found_, {}, &CopyRun::tasks);
    return std::move(found_);
  }

 private:
  bool is_small(std::uint32_t t) const {
    const Task& task = program_.tasks[t];
    if (task.op == no_index || task.step == no_index) return false;
    if (task.engine != Engine::h2d && task.engine != Engine::d2h) return false;
    const Ops& ops = trace_.devices[task.device].ops;
    if (ops.bytes[task.op] >= assumed::large_copy) return false;
    if ((ops.memory[task.op] & (source_pageable | target_pageable | in_graph)) != 0) return false;
    if (trace_.calls.kind[program_.steps[task.step].call] != CallKind::copy_async) return false;
    const double rate = rates_[task.device].of(task.engine);
    if (rate <= 0) return false;
    const auto length = static_cast<double>(times_.tasks[t].length());
    return length - static_cast<double>(ops.bytes[task.op]) / rate > assumed::majority * length;
  }

  bool goes_on(const CopyRun& run, const Task& task) const {
    if (run.tasks.empty()) return true;
    const Task& last = program_.tasks[run.tasks.back()];
    return last.engine == task.engine && last.device == task.device && last.step < task.step &&
           thread_of(program_, last.step).first == thread_of(program_, task.step).first &&
           waits_[last.step] == waits_[task.step];
  }

  void close(CopyRun& run) {
    if (run.tasks.size() >= assumed::enough_examples) found_.push_back(std::move(run));
    run.tasks.clear();
  }

  const Trace& trace_;
  const Issued& program_;
  const Times& times_;
  std::vector<CopyRates> rates_;      // by device
  std::vector<std::uint32_t> waits_;  // by step: how many calls before it may have waited
  std::vector<CopyRun> found_;
};

// A small copy waits for the previous copy of its CopyRun.
class SmallCopies : public TaskConstraint {
 public:
  explicit SmallCopies(const ConstraintContext& context)
      : before_(context.program.tasks.size(), no_index) {
    for (const CopyRun& run : small_copy_runs(context.trace, context.program, context.times)) {
      for (std::size_t i = 1; i < run.tasks.size(); ++i) before_[run.tasks[i]] = run.tasks[i - 1];
    }
  }

  void task(const Walk&, std::uint32_t task, EdgeList& edges) override {
    edges.add(before_[task], task, Cause::small_copies);
  }

 private:
  std::vector<std::uint32_t> before_;  // by task: the copy before it in its run
};

}  // namespace

std::vector<CopyRun> small_copy_runs(const Trace& trace, const Issued& program,
                                     const Times& times) {
  return RunFinder(trace, program, times).find();
}

const Constraint small_copies_constraint{Cause::small_copies, make<TaskConstraint, SmallCopies>};

}  // namespace lapscope::analyzer
