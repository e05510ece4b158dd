#pragma once

#include <string>

#include "analyzer/findings/situation.h"

namespace lapscope::analyzer {

// What a finding says in words.
struct Sentences {
  std::string explanation;  // why ops were held up
  std::string fix;          // what to do, in CUDA's terms
  std::string caveat;       // how far the prediction can be trusted; may be empty
};

// `sites` are the finding's, most waiting first; at least one.
Sentences sentences_of(Cause cause, const std::vector<CallSite>& sites, const Situation& situation);

}  // namespace lapscope::analyzer
