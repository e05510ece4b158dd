#include "analyzer/model/assumptions.h"

#include <array>

namespace lapscope::analyzer {

std::span<const Assumption* const> assumptions() {
  using namespace assumed;
  static constexpr std::array<const Assumption*, 57> all = {&clock_tolerance,
                                                            &longest_latency,
                                                            &latency_from_host,
                                                            &latency_between_ops,
                                                            &latency_in_graph,
                                                            &start_at_once,
                                                            &quick_call,
                                                            &after_host_function,
                                                            &gap_between_calls,
                                                            &gap_within_graph,
                                                            &end_by_chance,
                                                            &dealing_out,
                                                            &clock_step,
                                                            &large_copy,
                                                            &share_of_link,
                                                            &both_directions,
                                                            &least_both_directions,
                                                            &alone_beside,
                                                            &enough_examples,
                                                            &engine_overlap,
                                                            &fastest_link,
                                                            &kernels_at_once,
                                                            &register_unit,
                                                            &system_shared_memory,
                                                            &most_connections,
                                                            &usual_connections,
                                                            &internal_streams,
                                                            &streams_for_one,
                                                            &least_covered,
                                                            &blocking_launches,
                                                            &launches_an_op,
                                                            &least_node,
                                                            &least_rounds,
                                                            &uneven_rounds,
                                                            &least_iterations,
                                                            &most_steps_back,
                                                            &bound_link,
                                                            &bound_engine,
                                                            &helper_pauses,
                                                            &own_pauses,
                                                            &least_saving,
                                                            &least_saving_ns,
                                                            &little_alone,
                                                            &more_together,
                                                            &most_unaccounted,
                                                            &noteworthy_unexplained,
                                                            &large_part,
                                                            &most_empty_copies,
                                                            &overhead_remark,
                                                            &overhead_warning,
                                                            &shortest_gap,
                                                            &least_idle_share,
                                                            &tolerance,
                                                            &ratio_tolerance,
                                                            &least_margin,
                                                            &chance,
                                                            &least_launch_change};
  return all;
}

}  // namespace lapscope::analyzer
