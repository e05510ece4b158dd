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

// The result of analyzing the ranks of one run together.
struct RunReport {
  std::string tool_version;
  std::string folder;
  analyzer::RunResult run;
  std::vector<analyzer::Report> reports;  // one for each trace with GPU work; empty for summaries
  std::vector<std::string> without_work;  // files of processes that used no GPU, such as torchrun
};

// An output format of a run.
struct RankRenderer {
  std::string_view name;
  std::string_view extension;
  bool is_read_in_terminal = false;
  bool draws = false;  // needs the reports with their timelines
  void (*render)(const RunReport& run, const TextStyle& style, std::ostream& out) = nullptr;
};

// Writes one screen: the causes that delay the run, and the activity of each rank.
void render_ranks(const RunReport& run, const TextStyle& style, std::ostream& out);

// Writes one object, schema "lapscope-ranks/1" (docs/json.md). Durations are integers in ns.
void render_ranks_json(const RunReport& run, const TextStyle& style, std::ostream& out);

// Writes a page with the content of render_ranks(). A drawing shows each rank's states on the
// ranks' common clock. If there are more than 16 ranks, the first list has only those with the
// largest lateness. A second list shows all ranks, divided into collapsed groups.
void render_ranks_html(const RunReport& run, const TextStyle& style, std::ostream& out);

// Writes one Perfetto trace on a common clock. Each rank is a process.
void render_ranks_perfetto(const RunReport& run, const TextStyle& style, std::ostream& out);

// The first is the default.
inline constexpr RankRenderer rank_renderers[] = {
    {.name = "text", .extension = ".txt", .is_read_in_terminal = true, .render = render_ranks},
    {.name = "json",
     .extension = ".json",
     .is_read_in_terminal = true,
     .render = render_ranks_json},
    {.name = "html", .extension = ".html", .render = render_ranks_html},
    {.name = "perfetto",
     .extension = ".perfetto-trace",
     .draws = true,
     .render = render_ranks_perfetto}};

// Compares two runs: their steps, and the activity of a rank in an average step.
void render_ranks_diff(const RunReport& before, const RunReport& after, const TextStyle& style,
                       std::ostream& out);
// Writes one object, schema "lapscope-ranks-diff/1" (docs/json.md).
void render_ranks_diff_json(const RunReport& before, const RunReport& after, std::ostream& out);
std::string headline_of(const RunReport& before, const RunReport& after);

// For each of the `asked` causes between ranks, shows the saving if only this cause were fixed.
void render_ranks_whatif(const RunReport& run, std::span<const analyzer::RunCause> asked,
                         const TextStyle& style, std::ostream& out);

// A rank with the report of its process.
struct RankedReport {
  const analyzer::RankResult* result = nullptr;
  const analyzer::Report* report = nullptr;
  analyzer::Ns clock_ns = 0;  // offset from times of the report to those of RunResult
};
// Returns one entry for each report. If several devices of its process are ranks, the entry has the
// first of these ranks.
std::vector<RankedReport> reports_by_rank(const RunReport& run);

// The maximum number of ranks that are listed. If a run has more ranks, only those with the largest
// lateness (Lateness::sum) are listed. One further row is for all other ranks.
inline constexpr std::size_t ranks_shown = 16;
std::vector<const analyzer::RankResult*> shown_ranks(const RunReport& run);

inline constexpr std::array<std::string_view, 7> rank_columns = {
    "rank", "computes", "transfers", "waits", "other comm", "idle", "is last"};
std::vector<std::string> cells_of(const analyzer::RankResult& rank);
// Returns one row for all ranks that are not listed, with their number and the range of each share:
// "1008 others  40 to 44 % ...". Empty if all ranks are listed.
std::vector<std::string> cells_of_others(const RunReport& run);

// Sentences that all renderers show.
std::string headline_of(const RunReport& run);
std::string scope_sentence(const RunReport& run);
// Returns the largest parts of the run's critical path: "Critical path: rank 1 is idle 64.0 %, rank
// 1 computes 30.8 %, the rest 5.2 %." Empty for an empty window.
std::string path_sentence(const RunReport& run);
std::string sentence_of(const analyzer::RunFinding& finding, const RunReport& run);
std::string sentence_of(const analyzer::RunDefectRow& defect);
std::string fix_of(const analyzer::RunFinding& finding, const RunReport& run);
// Names ranks: "rank 1" or "ranks 6, 7". If they are all ranks of a host, and the run has several
// hosts, returns "the 8 ranks of host n1". `which` has their indices in RunResult::ranks, at least
// one.
std::string named(const std::vector<std::uint32_t>& which, const RunReport& run);

}  // namespace lapscope::reports
