#include <array>

#include "analyzer/graph/context_waits.h"

namespace lapscope::analyzer {
namespace {

// Device memory is allocated; or released, which waits for running work unless it happens in the
// order of a stream.
//
//   thread    (cudaFree)b.
//   stream 1  AAAAAAAAA...    b is issued when A has ended
//   stream 2  ..........BB
std::unique_ptr<CallConstraint> alloc_free_calls(const CallContext& context) {
  return hidden_wait(context, CallKind::release, ContextWaits::Evidence::nothing_went_on);
}

constexpr std::array alloc_free_kinds = {CallKind::allocate, CallKind::release, CallKind::pool};

}  // namespace

const Constraint alloc_free_constraint{Cause::alloc_free, nullptr, nullptr, alloc_free_calls,
                                       alloc_free_kinds};

}  // namespace lapscope::analyzer
