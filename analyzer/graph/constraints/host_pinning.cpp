#include <array>

#include "analyzer/graph/context_waits.h"

namespace lapscope::analyzer {
namespace {

// Page-locked memory is allocated or registered; or released, which waits for running work.
//
//   thread    (cudaFreeHost)b.
//   stream 1  AAAAAAAAAAAAA...    b is issued when A has ended
//   stream 2  ..............BB
std::unique_ptr<CallConstraint> host_pinning_calls(const CallContext& context) {
  return hidden_wait(context, CallKind::release_host, ContextWaits::Evidence::nothing_went_on);
}

constexpr std::array host_pinning_kinds = {CallKind::allocate_host, CallKind::release_host};

}  // namespace

const Constraint host_pinning_constraint{Cause::host_pinning, nullptr, nullptr, host_pinning_calls,
                                         host_pinning_kinds};

}  // namespace lapscope::analyzer
