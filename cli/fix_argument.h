#pragma once

#include <string>
#include <vector>

#include "analyzer/findings/predict.h"

namespace lapscope::cli {

// What follows --fix: "default-stream-barrier", "stream-order:3",
// "host-sync:site=cudaStreamSynchronize*"; and what follows --scale: "h2d=2". Throw
// std::invalid_argument with a sentence that names what is wrong, and what there is.
analyzer::FixRequest parse_fix(const std::string& text);
// Several of them: "stream-order,host-sync". A comma behind a colon belongs to the name of a site.
std::vector<analyzer::FixRequest> parse_fixes(const std::string& text);
analyzer::FixRequest parse_scale(const std::string& text);

// The error as a sentence.
std::string sentence_of(const analyzer::NothingAtSite& error);

}  // namespace lapscope::cli
