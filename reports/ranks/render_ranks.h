#pragma once

#include <array>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/ranks/run_result.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

// The ranks of one run, as they were analyzed together.
struct RunReport {
  std::string tool_version;
  std::string folder;
  analyzer::RunResult run;
  std::vector<analyzer::Report> reports;  // of each trace with GPU work, alone; none of summaries
  std::vector<std::string> without_work;  // files of processes that used no GPU, as torchrun's own
};

// One way to show a run.
struct RankRenderer {
  std::string_view name;
  std::string_view extension;
  bool is_read_in_terminal = false;
  bool draws = false;  // needs the reports with their timelines
  void (*render)(const RunReport& run, const TextStyle& style, std::ostream& out) = nullptr;
};
// The first is the default.
std::span<const RankRenderer> rank_renderers();

// For people, on one screen: what holds the run up, and what each rank does meanwhile.
void render_ranks(const RunReport& run, const TextStyle& style, std::ostream& out);

// One object, schema "lapscope-ranks/1" (docs/json.md). Durations are integers in ns.
void render_ranks_json(const RunReport& run, const TextStyle& style, std::ostream& out);

// A page with the same, and what each rank did on their one clock. If there are more than 16 ranks,
// the ranks that are late most come first, and all ranks are in groups that are folded.
void render_ranks_html(const RunReport& run, const TextStyle& style, std::ostream& out);

// Each rank as a process of one Perfetto trace, on their one clock.
void render_ranks_perfetto(const RunReport& run, const TextStyle& style, std::ostream& out);

// Two runs, by their steps and by what a rank does in one on average.
void render_ranks_diff(const RunReport& before, const RunReport& after, const TextStyle& style,
                       std::ostream& out);
// One object, schema "lapscope-ranks-diff/1" (docs/json.md).
void render_ranks_diff_json(const RunReport& before, const RunReport& after, std::ostream& out);
std::string headline_of(const RunReport& before, const RunReport& after);

// What the fixes of these causes would save, each alone.
void render_ranks_whatif(const RunReport& run, std::span<const analyzer::RunCause> asked,
                         const TextStyle& style, std::ostream& out);

// A rank with the report of its process.
struct RankedReport {
  const analyzer::RankResult* result = nullptr;
  const analyzer::Report* report = nullptr;
  analyzer::Ns clock_ns = 0;  // added to instants of the report, for those of RunResult
};
// If a process has several devices, the first rank is used.
std::vector<RankedReport> reports_by_rank(const RunReport& run);

// More ranks than that are shown by those that are late most, and the others in one row.
inline constexpr std::size_t ranks_shown = 16;
std::vector<const analyzer::RankResult*> shown_ranks(const RunReport& run);

inline constexpr std::array<std::string_view, 7> rank_columns = {
    "rank", "computes", "transfers", "waits", "other comm", "idle", "is last"};
std::vector<std::string> cells_of(const analyzer::RankResult& rank);
// What ranks that are not shown lie between: "1008 others  40 to 44 %  ...". Empty where all are.
std::vector<std::string> cells_of_others(const RunReport& run);

// "20 steps of 4.88 ms (4.71 to 9.02 ms, the longest is step 7)." Empty where there are no steps.
std::string steps_sentence(const analyzer::RunResult& run);

// The other sentences.
std::string headline_of(const RunReport& run);
std::string scope_sentence(const RunReport& run);
std::string sentence_of(const analyzer::RunFinding& finding, const RunReport& run);
std::string sentence_of(const analyzer::RunDefectRow& defect);
std::string fix_of(const analyzer::RunFinding& finding);

}  // namespace lapscope::reports
