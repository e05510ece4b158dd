#include "analyzer/graph/call_waits.h"

namespace lapscope::analyzer {
namespace {

// A copy of pageable memory blocks the thread, even if the copy is asynchronous. The driver copies
// the memory piece by piece. The call returns when the last piece is on its way, a few us before
// the copy ends.
//
//   thread    (cudaMemcpyAsync)b...
//   stream 1  ..AAAAAAAAAAAAAA.....    b is issued when nearly all of A is done
//   stream 2  ..................BBB
class PageableCopy : public CallConstraint {
 public:
  using CallConstraint::CallConstraint;

  std::optional<std::vector<std::uint32_t>> waited_for(const Walk&, std::uint32_t step) override {
    if (!is_copy(context_, step) || !copies_pageable(context_, step)) return std::nullopt;
    return ends_of_copy_call(context_, step);
  }
};

}  // namespace

const Constraint pageable_copy_constraint{Cause::pageable_copy, nullptr,
                                          make<CallConstraint, PageableCopy>};

}  // namespace lapscope::analyzer
