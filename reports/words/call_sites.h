#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/explain/code_place.h"
#include "analyzer/findings/causes_result.h"

namespace lapscope::reports {

// Names the op or call and its place: "stamp_tile in the legacy default stream". Empty for an empty
// `doing`.
std::string words_of(const analyzer::Doing& doing);

// Returns a label in one line, for example: "cudaStreamSynchronize in tile * at pipeline.cu:120
// from main.cu:30". As a pattern, the label matches this place.
std::string label_of(const analyzer::CodePlace& place);

// Returns whether a pattern matches one of these texts of a place:
// - its label
// - its label without the caller
// - its label without the caller and the source line
// - the source line of the call or of the caller, with or without folders
bool is_meant(const analyzer::CodePlace& place, std::string_view pattern);

// Returns the place of a call site in the program, printable. Examples, with remarks on the right:
//
//   pipeline.cu:120 in process_tile ← run ← main
//   process_tile (stream_pipeline) ← main            no lines are known
//   model.py:33 in forward (its backward) ← step     frames of the forward operator
//   operator aten::copy_ ← aten::to                  from PyTorch's profiler, without Python frames
//
// Shows the frames of the user's own code, innermost first. If there are none, shows the frames of
// libraries. Callers in the middle may be replaced by "…". Empty if the trace has no call stacks.
std::string where_of(const analyzer::CallSite& site);
// Returns the place of a call site with these members (analyzer::CallSite).
std::string where_of(const std::vector<analyzer::StackFrame>& stack,
                     const std::vector<analyzer::StackFrame>& forward_stack,
                     std::string_view caller = {});

// Returns the place of the finding's first call site.
std::string where_of(const analyzer::FindingResult& finding);

// If a call site has only an address and no name, returns a sentence about how to find the name.
// Otherwise, returns an empty text. The text is printable.
std::string nameless_sentence(const analyzer::FindingResult& finding);

// Returns CallSite::line without its folders, cut to `width` columns.
std::string line_words(std::string_view line, std::size_t width);

// Returns a frame in one printable line, such as
// "process_tile(float*, int) at src/pipeline.cu:120".
std::string frame_words(const analyzer::StackFrame& frame);

// Returns the label of a call site in one printable line, such as
// "cudaStreamSynchronize in tile * at pipeline.cu:120 in process_tile ← main".
std::string label_of(const analyzer::CallSite& site);

}  // namespace lapscope::reports
