#include <array>

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// The thread is outside CUDA, or in calls that have nothing to do with the order of work.
//
//   thread    a......b.
//   stream 1  .AA.....B    for_host_time() counts the time between calls
constexpr std::array host_compute_kinds = {CallKind::other};

}  // namespace

const Constraint host_compute_constraint{Cause::host_compute, nullptr, nullptr, nullptr,
                                         host_compute_kinds};

}  // namespace lapscope::analyzer
