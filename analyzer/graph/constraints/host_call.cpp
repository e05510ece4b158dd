#include <array>

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// The thread is in calls that have nothing to do with the order of work, or outside CUDA.
//
//   thread    a.ccc..b.
//   stream 1  .AA.....B    c is host-call; the time between calls no constraint stands for
constexpr std::array host_call_kinds = {CallKind::other};

}  // namespace

const Constraint host_call_constraint{Cause::host_call, nullptr, nullptr, nullptr, host_call_kinds};

}  // namespace lapscope::analyzer
