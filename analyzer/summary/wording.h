#pragma once

#include <string>

#include "analyzer/analysis/steady_state.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/model/health.h"

namespace lapscope::analyzer {

// The sentences of a finding. A summary stores the sentences, because it lacks the data from which
// they are made.
struct FindingWords {
  std::string what;
  std::string explanation;
  std::string fix;
};

// The sentences of a defect of the trace.
struct HealthWords {
  std::string message;
  std::string remedy;
};

// The names of a steady state.
struct SteadyWords {
  std::string source;  // "cudaProfilerStart/Stop", "NVTX range 'step *'", "epoch *"
  std::string scope;   // "iterations of NVTX range 'step *'", "NVTX range 'epoch *'"
};

// The functions that make the sentences. reports/words/summary_words.h defines them.
struct Wording {
  FindingWords (*of_finding)(const FindingResult& finding) = nullptr;
  HealthWords (*of_health)(const HealthRow& row) = nullptr;
  SteadyWords (*of_steady)(const SteadyState& state) = nullptr;
};

}  // namespace lapscope::analyzer
