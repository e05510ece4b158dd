#pragma once

#include <string>

#include "analyzer/findings/causes_result.h"

namespace lapscope::analyzer {

// What a finding says: a summary is kept and read without what the sentences are made of.
struct FindingWords {
  std::string what;
  std::string explanation;
  std::string fix;
};

// Who has the words: see reports/words/wording.h.
struct Wording {
  FindingWords (*of_finding)(const FindingResult& finding) = nullptr;
};

}  // namespace lapscope::analyzer
