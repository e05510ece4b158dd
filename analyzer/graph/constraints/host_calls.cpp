#include <array>

#include "analyzer/graph/call_waits.h"
#include "analyzer/graph/constraint.h"

// Causes of delays on the host: calls that take time but do not order ops on the device.
namespace lapscope::analyzer {
namespace {

// The thread allocates or releases device memory. cudaFree waits for running work. A stream-ordered
// release does not wait.
//
//   thread    (cudaFree)b.
//   stream 1  AAAAAAAAA...    b is issued when A has ended
//   stream 2  ..........BB
std::unique_ptr<CallConstraint> alloc_free_calls(const ConstraintContext& context) {
  return hidden_wait(context, CallKind::release, ContextWaits::Evidence::nothing_went_on);
}

constexpr std::array alloc_free_kinds = {CallKind::allocate, CallKind::release, CallKind::pool};

// The thread allocates, registers or releases page-locked memory. A release waits for running work.
//
//   thread    (cudaFreeHost)b.
//   stream 1  AAAAAAAAAAAAA...    b is issued when A has ended
//   stream 2  ..............BB
std::unique_ptr<CallConstraint> host_pinning_calls(const ConstraintContext& context) {
  return hidden_wait(context, CallKind::release_host, ContextWaits::Evidence::nothing_went_on);
}

constexpr std::array host_pinning_kinds = {CallKind::allocate_host, CallKind::release_host};

// Each call that issues work takes time, and a thread makes one call after the other.
//
//   thread    aaabbbccc
//   stream 1  ...A..B..C    A, B and C are shorter than the calls that issue them
constexpr std::array launch_overhead_kinds = {
    CallKind::launch,        CallKind::graph_launch, CallKind::memset,      CallKind::copy_async,
    CallKind::host_function, CallKind::wait_event,   CallKind::record_event};

// The thread is in a call that does not affect the order of work.
//
//   thread    a.ccc..b.
//   stream 1  .AA.....B    the delay of B during c has this cause
constexpr std::array host_call_kinds = {CallKind::other};

}  // namespace

const Constraint alloc_free_constraint{Cause::alloc_free, nullptr, alloc_free_calls,
                                       alloc_free_kinds};

const Constraint host_pinning_constraint{Cause::host_pinning, nullptr, host_pinning_calls,
                                         host_pinning_kinds};

const Constraint launch_overhead_constraint{Cause::launch_overhead, nullptr, nullptr,
                                            launch_overhead_kinds};

const Constraint host_call_constraint{Cause::host_call, nullptr, nullptr, host_call_kinds};

}  // namespace lapscope::analyzer
