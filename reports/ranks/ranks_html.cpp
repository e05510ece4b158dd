#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "reports/html/html_markup.h"
#include "reports/ranks/render_ranks.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using analyzer::Interval;
using analyzer::Ns;
using analyzer::RankResult;
using analyzer::RankTime;
using analyzer::RunFinding;

// Size of the picture, in SVG units.
constexpr int width = 700;
constexpr int row = 12;
constexpr int gap = 3;
constexpr int label = 70;

// A state of a rank's device, with its CSS class.
struct State {
  std::string_view css;
  std::string_view word;
  Ns RankTime::*time;
};
constexpr std::array states = {
    State{"compute", "computes", &RankTime::computing},
    State{"comm", "transfers", &RankTime::transferring},
    State{"other", "other communication", &RankTime::other_communication},
    State{"wait", "waits for another rank", &RankTime::waiting}};

// Draws the row of a rank: for each part of the window, one bar in which the shares of the rank's
// states are stacked.
std::string rows_of(const RankResult& rank, int top) {
  std::string rows;
  const double step = static_cast<double>(width - label) / static_cast<double>(rank.parts.size());
  std::vector<double> floor(rank.parts.size(), top + row);
  for (const State& state : states) {
    std::string path;
    for (std::size_t i = 0; i < rank.parts.size(); ++i) {
      const RankTime& part = rank.parts[i];
      if (part.*state.time <= 0) continue;
      const double height =
          row * static_cast<double>(part.*state.time) / static_cast<double>(part.sum());
      path += fmt::format("M{:.1f} {:.1f}v{:.1f}h{:.1f}v{:.1f}z",
                          label + static_cast<double>(i) * step, floor[i], -height, step, height);
      floor[i] -= height;
    }
    if (!path.empty()) rows += fmt::format("<path class=\"{}\" d=\"{}\"/>", state.css, path);
  }
  return rows;
}

std::string key() {
  std::string items;
  for (const State& state : states) {
    items += fmt::format("<li><span class=\"{}\"></span>{}</li>", state.css, state.word);
  }
  return "<ul>" + items + "</ul>";
}

std::string picture_of(std::span<const RankResult* const> shown, const Interval& window) {
  if (window.length() <= 0) return "";
  std::string rows;
  int top = 0;
  for (const RankResult* rank : shown) {
    rows += fmt::format("<text x=\"2\" y=\"{}\" font-size=\"{}\" fill=\"currentColor\">{}</text>{}",
                        top + row - 2, row - 2, html_text(shortened("rank " + rank->name, 14)),
                        rows_of(*rank, top));
    top += row + gap;
  }
  return fmt::format(
      "<figure class=\"strip ranks\"><svg viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-label=\"what each rank did, on one clock\">{}</svg><figcaption>{} on one clock, in {} "
      "parts: as high as its share of each part{}</figcaption></figure>\n",
      width, top, rows, html_text(format_ns(window.length())), analyzer::run_parts, key());
}

std::string findings_of(std::string_view heading, const std::vector<RunFinding>& findings,
                        const RunReport& run) {
  if (findings.empty()) return "";
  std::string text = fmt::format("<h2>{}</h2>\n<ol>", html_text(heading));
  for (const RunFinding& finding : findings) {
    text += fmt::format("<li><p><b>{}</b>: {}</p><p>Fix: {}</p></li>",
                        html_text(code_of(finding.cause)), html_text(sentence_of(finding, run)),
                        html_text(fix_of(finding, run)));
  }
  return text + "</ol>\n";
}

Cells html_cells(const std::vector<std::string>& texts) {
  Cells cells;
  for (const std::string& text : texts) cells.push_back(html_text(text));
  return cells;
}

std::string table_of_ranks(std::span<const RankResult* const> shown,
                           const std::vector<std::string>& others) {
  std::vector<Cells> rows;
  for (const RankResult* rank : shown) rows.push_back(html_cells(cells_of(*rank)));
  if (!others.empty()) rows.push_back(html_cells(others));
  return table_of("", "lrrrrrr", html_cells({rank_columns.begin(), rank_columns.end()}), rows);
}

// The number of ranks in a collapsed group. If there are more than `ranks_shown` ranks, a second
// list shows all ranks. The second list has the order of RunResult::ranks, and is divided into
// these groups.
constexpr std::size_t group_size = 64;

std::string groups_of(const analyzer::RunResult& run) {
  if (run.ranks.size() <= ranks_shown) return "";
  std::string text = "<h2>All ranks</h2>\n";
  std::vector<const RankResult*> all;
  for (const RankResult& rank : run.ranks) all.push_back(&rank);
  for (std::size_t first = 0; first < all.size(); first += group_size) {
    const std::size_t count = std::min(group_size, all.size() - first);
    const std::span<const RankResult* const> group(all.data() + first, count);
    text += fmt::format("<details><summary>ranks {} to {}</summary>\n{}{}</details>\n",
                        html_text(printable(group.front()->name)),
                        html_text(printable(group.back()->name)), picture_of(group, run.window),
                        table_of_ranks(group, {}));
  }
  return text;
}

}  // namespace

void render_ranks_html(const RunReport& run, const TextStyle&, std::ostream& out) {
  std::vector<const RankResult*> shown = shown_ranks(run);
  std::string head = fmt::format("<h1>{}</h1>\n", html_text(headline_of(run)));
  for (std::size_t i = 1; i < run.run.defects.size(); ++i) {
    head += fmt::format("<p>Also: {}</p>\n", html_text(sentence_of(run.run.defects[i])));
  }
  head += fmt::format("<p>{}</p>\n", html_text(scope_sentence(run)));
  const std::vector<std::string> parts = {
      head,
      picture_of(shown, run.run.window),
      table_of_ranks(shown, cells_of_others(run)),
      fmt::format("<p>{}</p>\n", html_text(path_sentence(run))),
      findings_of("Bottlenecks between ranks", run.run.findings, run),
      findings_of("If the data allows it, which no trace shows", run.run.questions, run),
      groups_of(run.run)};
  write_page(run.folder, parts, run.tool_version, out);
}

}  // namespace lapscope::reports
