#pragma once

#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "analyzer/graph/polling.h"
#include "analyzer/graph/stream_walk.h"

namespace lapscope::analyzer {

// Edges as they are found, before they are put in order.
class EdgeList {
 public:
  explicit EdgeList(const Times& times) : times_(times.tasks) {}

  // `from` must have been issued before `to`. Nothing is added when the recorded times contradict
  // it: whatever the rule says, this task did not wait for that one.
  void add(std::uint32_t from, std::uint32_t to, Cause cause, bool from_start = false);

  std::vector<NewEdge> entries;
  std::int64_t contradicted = 0;

 private:
  const Column<Interval>& times_;
};

// Which tasks a task waits for. It is called for the tasks in the order of their issue, before the
// walk passes them.
class TaskConstraint {
 public:
  virtual ~TaskConstraint() = default;
  virtual void task(const Walk& walk, std::uint32_t task, EdgeList& edges) = 0;
};

// What all constraints are given.
struct ConstraintContext {
  const Trace& trace;
  const Issued& program;
  const Times& times;
  const std::vector<Poll>& polls;  // by first step
  const std::vector<std::uint32_t>&
      before;  // by task: the one before it in its stream, or no_index
};

// What a host thread waited for in a call.
class CallConstraint {
 public:
  explicit CallConstraint(const ConstraintContext& context) : context_(context) {}
  virtual ~CallConstraint() = default;

  // The tasks whose ends the call waited for, as far as they are known; nothing when it did not
  // wait for this reason. Steps come in the order of the walk, which has passed what was issued
  // before the call, and what the call itself issued.
  virtual std::optional<std::vector<std::uint32_t>> waited_for(const Walk& walk,
                                                               std::uint32_t step) = 0;

 protected:
  const ConstraintContext context_;
};

// Makes a constraint that is given the whole context, or nothing.
template <class Kind, class Own>
std::unique_ptr<Kind> make(const ConstraintContext& context) {
  if constexpr (std::is_constructible_v<Own, const ConstraintContext&>) {
    return std::make_unique<Own>(context);
  } else {
    return std::make_unique<Own>();
  }
}

// One cause: how it is found in a trace, in one of these ways or several. What none accounts for is
// Cause::unexplained.
struct Constraint {
  Cause cause;
  std::unique_ptr<TaskConstraint> (*tasks)(const ConstraintContext& context) = nullptr;
  std::unique_ptr<CallConstraint> (*calls)(const ConstraintContext& context) = nullptr;
  // Being in a call of these kinds stands for the cause, unless it is found to have waited for
  // another one. Each kind belongs to one constraint.
  std::span<const CallKind> stands_for = {};
  // Another task had what one needs of the machine: what observe() says.
  bool is_of_machine = false;
};

// All, in the order in which they are asked: of several edges from one task, and of several causes
// of a call, the first counts.
std::span<const Constraint* const> constraints();

// What being in a call stands for unless it turns out to have waited for something else.
Cause cause_of_call(CallKind kind);

// One a file.
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
