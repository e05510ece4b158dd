#pragma once

#include <vector>

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {

// cudaMemcpy, cudaMemcpyAsync and their like.
bool is_copy(const CallContext& context, std::uint32_t step);

// Whether one of a call's copies is from or to pageable memory.
bool copies_pageable(const CallContext& context, std::uint32_t step);

// The copies of a call that had ended when it returned.
std::vector<std::uint32_t> copies_ended(const CallContext& context, std::uint32_t step);

// What a call waited for that returns when its copy is done, or at least on its way: the copies; or
// where they went on, what came before them in their stream and ended while the call lasted. The
// data were taken over then, which that had delayed.
std::vector<std::uint32_t> ends_of_copy_call(const CallContext& context, std::uint32_t step);

}  // namespace lapscope::analyzer
