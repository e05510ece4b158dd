#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "analyzer/ranks/judge_ranks.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

// The ranks of one run, as they were analyzed together.
struct RunReport {
  std::string folder;
  analyzer::RunResult run;
  std::vector<analyzer::Report> reports;  // of each trace with GPU work, alone
  std::vector<std::string> without_work;  // files of processes that used no GPU, as torchrun's own
};

// For people, on one screen: what holds the run up, and what each rank does meanwhile.
void render_ranks(const RunReport& run, const TextStyle& style, std::ostream& out);

// One object, schema "lapscope-ranks/1" (docs/json.md). Durations are integers in ns.
void render_ranks_json(const RunReport& run, std::ostream& out);

// The sentences. A rank's own finding that explains why it is late; null when there is none.
const analyzer::FindingResult* finding_of_rank(const RunReport& run, std::uint32_t rank);
std::string headline_of(const RunReport& run);
std::string sentence_of(const analyzer::RunFinding& finding, const RunReport& run);
std::string sentence_of(const analyzer::RunDefectRow& defect);
std::string fix_of(const analyzer::RunFinding& finding);

}  // namespace lapscope::reports
