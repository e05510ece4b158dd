#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/explain/code_place.h"
#include "analyzer/findings/causes_result.h"

namespace lapscope::reports {

// For example: stamp_tile in the legacy default stream. Empty for nothing.
std::string words_of(const analyzer::Doing& doing);

// In one line, and a pattern that fits itself, as: cudaStreamSynchronize in tile * at
// pipeline.cu:120 from main.cu:30
std::string label_of(const analyzer::CodePlace& place);

// Whether a place is meant by a pattern: one of its label, with or without its lines, or of its
// line or its caller's alone, with or without folders.
bool is_meant(const analyzer::CodePlace& place, std::string_view pattern);

// Where in the program a call site is, printable, as:
//
//   pipeline.cu:120 in process_tile ← run ← main
//   process_tile (stream_pipeline) ← main        no lines are known
//   model.py:33 in forward (its backward) ← step     of the forward operator, and its callers
//   operator aten::copy_ ← aten::to                  of PyTorch's profiler, without Python's frames
//
// The first is the innermost frame that is the user's own; of its callers, those that are, too.
// Empty where the trace has no call stacks.
std::string where_of(const analyzer::CallSite& site);
// Likewise, for what a call has of that.
std::string where_of(const std::vector<analyzer::StackFrame>& stack,
                     const std::vector<analyzer::StackFrame>& forward_stack,
                     std::string_view caller = {});

// The call site that comes first.
std::string where_of(const analyzer::FindingResult& finding);

// What to do about a call site that is an address alone, printable; empty where it has a name.
std::string nameless_sentence(const analyzer::FindingResult& finding);

// CallSite::line without its folders, shortened.
std::string line_words(std::string_view line, std::size_t width);

// A frame in one line, printable, as: process_tile(float*, int) at src/pipeline.cu:120
std::string frame_words(const analyzer::StackFrame& frame);

// The call site of a finding in one line, printable, as: cudaStreamSynchronize in tile * at
// pipeline.cu:120 in process_tile ← main
std::string label_of(const analyzer::CallSite& site);

}  // namespace lapscope::reports
