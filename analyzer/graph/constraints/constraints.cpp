#include <algorithm>
#include <array>

#include "analyzer/graph/constraint.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

constexpr std::array all = {
    &small_copies_constraint,    &stream_order_constraint,     &default_stream_constraint,
    &event_wait_constraint,      &queue_alias_constraint,      &host_func_constraint,
    &graph_edge_constraint,      &graph_exec_reuse_constraint, &module_load_constraint,
    &copy_engine_constraint,     &sm_saturated_constraint,     &pageable_copy_constraint,
    &launch_blocking_constraint, &host_sync_constraint,        &alloc_free_constraint,
    &host_pinning_constraint,    &launch_overhead_constraint,  &host_call_constraint,
};

}  // namespace

std::span<const Constraint* const> constraints() { return those_on<Constraint>("constraint", all); }

Cause cause_of_call(CallKind kind) {
  static const auto causes = [] {
    std::array<Cause, static_cast<std::size_t>(CallKind::other) + 1> of;
    of.fill(Cause::host_call);
    for (const Constraint* constraint : constraints()) {
      for (const CallKind own : constraint->stands_for) {
        of[static_cast<std::size_t>(own)] = constraint->cause;
      }
    }
    return of;
  }();
  return causes[static_cast<std::size_t>(kind)];
}

void EdgeList::add(std::uint32_t from, std::uint32_t to, Cause cause, bool from_start) {
  if (from == no_index || from >= to) return;
  const Ns release = from_start ? times_[from].start : times_[from].end;
  if (!rule::contradicted || release <= times_[to].start + assumed::clock_tolerance) {
    entries.push_back({to, {from, cause, from_start, false}});
  }
}

}  // namespace lapscope::analyzer
