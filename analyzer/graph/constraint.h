#pragma once

#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "analyzer/graph/polling.h"
#include "analyzer/graph/stream_walk.h"

namespace lapscope::analyzer {

// The edges, in the order in which they were found.
class EdgeList {
 public:
  explicit EdgeList(const Times& times) : times_(times.tasks) {}

  // Makes `to` wait for the end of `from`, or for its start (`from_start`). Does nothing if `from`
  // was not issued before `to`, or if the recorded times show that `to` did not wait.
  void add(std::uint32_t from, std::uint32_t to, Cause cause, bool from_start = false);

  std::vector<NewEdge> entries;

 private:
  const Column<Interval>& times_;
};

// Finds which tasks a task waits for. task() is called once for each task, in the order of issue,
// between Walk::begin_task() and Walk::pass_task().
class TaskConstraint {
 public:
  virtual ~TaskConstraint() = default;
  virtual void task(const Walk& walk, std::uint32_t task, EdgeList& edges) = 0;
};

struct ConstraintContext {
  const Trace& trace;
  const Issued& program;
  const Times& times;
  const std::vector<Poll>& polls;  // by first step
  const std::vector<std::uint32_t>&
      before;  // by task: the task before it in its stream, or no_index
};

// Finds what a host thread waited for in a call.
class CallConstraint {
 public:
  explicit CallConstraint(const ConstraintContext& context) : context_(context) {}
  virtual ~CallConstraint() = default;

  // Returns the tasks whose ends the call waited for, as far as they are known. Returns nullopt if
  // the call did not wait, or if this constraint does not apply to the call. The function is called
  // once for each step, in the order of issue, after the walk has passed all work that was issued
  // before the call or by the call.
  virtual std::optional<std::vector<std::uint32_t>> waited_for(const Walk& walk,
                                                               std::uint32_t step) = 0;

 protected:
  const ConstraintContext context_;
};

// Makes a constraint. Passes the context to its constructor if the constructor takes one.
template <class Kind, class Own>
std::unique_ptr<Kind> make(const ConstraintContext& context) {
  if constexpr (std::is_constructible_v<Own, const ConstraintContext&>) {
    return std::make_unique<Own>(context);
  } else {
    return std::make_unique<Own>();
  }
}

// The rules that find one cause. At least one of `tasks`, `calls` and `stands_for` is set. A delay
// that no constraint explains has Cause::unexplained.
struct Constraint {
  Cause cause;
  std::unique_ptr<TaskConstraint> (*tasks)(const ConstraintContext& context) = nullptr;
  std::unique_ptr<CallConstraint> (*calls)(const ConstraintContext& context) = nullptr;
  // If no constraint finds the cause of a call of these kinds, the call has the cause of this
  // constraint. Each kind is listed in one constraint only.
  std::span<const CallKind> stands_for = {};
};

// Returns all constraints in the order in which they are evaluated. If several constraints find a
// cause for a call, the first of them sets the cause. If several edges release a task at the same
// time, the edge of the first constraint sets the cause of the delay.
std::span<const Constraint* const> constraints();

// Returns the cause of a call for which no constraint finds one (Constraint::stands_for).
Cause cause_of_call(CallKind kind);

// Defined in analyzer/graph/constraints/.
extern const Constraint stream_order_constraint;
extern const Constraint graph_edge_constraint;
extern const Constraint graph_exec_reuse_constraint;
extern const Constraint default_stream_constraint;
extern const Constraint event_wait_constraint;
extern const Constraint queue_alias_constraint;
extern const Constraint host_func_constraint;
extern const Constraint copy_engine_constraint;
extern const Constraint small_copies_constraint;
extern const Constraint sm_saturated_constraint;
extern const Constraint pageable_copy_constraint;
extern const Constraint launch_blocking_constraint;
extern const Constraint host_sync_constraint;
extern const Constraint alloc_free_constraint;
extern const Constraint host_pinning_constraint;
extern const Constraint module_load_constraint;
extern const Constraint launch_overhead_constraint;
extern const Constraint host_call_constraint;

}  // namespace lapscope::analyzer
