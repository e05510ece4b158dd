#include <array>

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {
namespace {

// Issuing takes time, and a thread issues one thing after the other.
//
//   thread    aaabbbccc
//   stream 1  ...A..B..C    what is issued is shorter than issuing it
constexpr std::array launch_overhead_kinds = {
    CallKind::launch,        CallKind::graph_launch, CallKind::memset,      CallKind::copy_async,
    CallKind::host_function, CallKind::wait_event,   CallKind::record_event};

}  // namespace

const Constraint launch_overhead_constraint{Cause::launch_overhead, nullptr, nullptr, nullptr,
                                            launch_overhead_kinds};

}  // namespace lapscope::analyzer
