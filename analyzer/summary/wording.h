#pragma once

#include <string>

#include "analyzer/analysis/steady_state.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/model/health.h"

namespace lapscope::analyzer {

// What a finding says: a summary is kept and read without what the sentences are made of.
struct FindingWords {
  std::string what;
  std::string explanation;
  std::string fix;
};

// What a defect of the trace says.
struct HealthWords {
  std::string message;
  std::string remedy;
};

// What a steady state is.
struct SteadyWords {
  std::string source;  // "cudaProfilerStart/Stop", "NVTX range 'step *'", "epoch *"
  std::string scope;   // "iterations of NVTX range 'step *'", "NVTX range 'epoch *'"
};

// Who has the words: see reports/words/summary_words.h.
struct Wording {
  FindingWords (*of_finding)(const FindingResult& finding) = nullptr;
  HealthWords (*of_health)(const HealthRow& row) = nullptr;
  SteadyWords (*of_steady)(const SteadyState& state) = nullptr;
};

}  // namespace lapscope::analyzer
