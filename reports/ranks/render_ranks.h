#pragma once

#include <array>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
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

// One way to show a run.
struct RankRenderer {
  std::string_view name;
  std::string_view extension;
  bool is_read_in_terminal = false;
  bool draws = false;  // needs the reports' timelines
  void (*render)(const RunReport& run, const TextStyle& style, std::ostream& out) = nullptr;
};
// The first is the default.
std::span<const RankRenderer> rank_renderers();

// For people, on one screen: what holds the run up, and what each rank does meanwhile.
void render_ranks(const RunReport& run, const TextStyle& style, std::ostream& out);

// One object, schema "lapscope-ranks/1" (docs/json.md). Durations are integers in ns.
void render_ranks_json(const RunReport& run, const TextStyle& style, std::ostream& out);

// A page with the same, and what each rank did on their one clock. More than 16 ranks are shown by
// those that are late most.
void render_ranks_html(const RunReport& run, const TextStyle& style, std::ostream& out);

// Each rank as a process of one Perfetto trace, on their one clock.
void render_ranks_perfetto(const RunReport& run, const TextStyle& style, std::ostream& out);

// A rank with the report of its process.
struct RankedReport {
  const analyzer::RankResult* result = nullptr;
  const analyzer::Report* report = nullptr;
  analyzer::Ns clock_ns = 0;  // added to instants of the report, for those of RunResult
};
// Of a process with several devices the first rank.
std::vector<RankedReport> reports_by_rank(const RunReport& run);

// Of many ranks those that are late most.
std::vector<const analyzer::RankResult*> shown_ranks(const RunReport& run);

inline constexpr std::array<std::string_view, 7> rank_columns = {
    "rank", "computes", "transfers", "waits", "other comm", "idle", "is last"};
std::vector<std::string> cells_of(const analyzer::RankResult& rank);

// The sentences. A rank's own finding that explains why it is late; null when there is none.
const analyzer::FindingResult* finding_of_rank(const RunReport& run, std::uint32_t rank);
std::string headline_of(const RunReport& run);
std::string scope_sentence(const RunReport& run);
std::string sentence_of(const analyzer::RunFinding& finding, const RunReport& run);
std::string sentence_of(const analyzer::RunDefectRow& defect);
std::string fix_of(const analyzer::RunFinding& finding);

}  // namespace lapscope::reports
