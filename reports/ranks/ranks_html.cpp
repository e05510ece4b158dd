#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reports/html/html_markup.h"
#include "reports/html/page_shell.h"
#include "reports/ranks/render_ranks.h"
#include "reports/words/activity_words.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using analyzer::Interval;
using analyzer::Ns;
using analyzer::RankResult;
using analyzer::RunFinding;

// Of the picture, in its own units.
constexpr int width = 700;
constexpr int row = 12;
constexpr int gap = 3;

// When a rank's device did what in a window of the clock that all ranks share: a row for each
// engine, as high as the share of the time that it was busy.
std::string rows_of(const analyzer::DeviceResult& device, Ns clock, const Interval& window,
                    int& top) {
  const analyzer::RangeResult* const steady = steady_state_of(device);
  const analyzer::ActivityStrip& strip = steady ? steady->strip : device.strip;
  std::string rows;
  const auto x = [&](Ns instant) {
    const Ns inside = std::clamp(instant + clock, window.start, window.end) - window.start;
    return static_cast<double>(inside) * width / static_cast<double>(window.length());
  };
  for (const analyzer::EngineResult& engine : steady ? steady->engines : device.engines) {
    const std::vector<Ns>& busy = strip.busy_ns[static_cast<std::size_t>(engine.engine)];
    const int floor = top + row;
    std::string path;
    for (std::size_t i = 0; i < strip.size(); ++i) {
      const double from = x(strip.borders[i]);
      const double to = x(strip.borders[i + 1]);
      if (to <= from) continue;
      const double share = static_cast<double>(busy[i]) / static_cast<double>(strip.length(i));
      if (path.empty()) path = fmt::format("M{:.1f} {}", from, floor);
      path += fmt::format("V{:.1f}H{:.1f}", floor - share * row, to);
    }
    if (path.empty()) continue;
    rows += fmt::format("<path class=\"{}\" d=\"{}V{}Z\"><title>{}</title></path>",
                        name_of(engine.engine), path, floor, word_of(engine.engine));
    top += row + gap;
  }
  return rows;
}

// The colours of the engines that any of the ranks used.
std::string key_of(const std::vector<RankedReport>& shown) {
  std::string items;
  for (const analyzer::Engine engine : analyzer::all_engines) {
    const bool is_drawn = std::ranges::any_of(shown, [engine](const RankedReport& rank) {
      return std::ranges::any_of(rank.report->devices, [engine](const auto& device) {
        return std::ranges::find(device.engines, engine, &analyzer::EngineResult::engine) !=
               device.engines.end();
      });
    });
    if (!is_drawn) continue;
    items += fmt::format("<li><span class=\"{}\"></span>{}</li>", name_of(engine), word_of(engine));
  }
  return "<ul>" + items + "</ul>";
}

std::string picture_of(const std::vector<RankedReport>& shown, const Interval& window) {
  if (window.length() <= 0) return "";
  std::string rows;
  int top = 0;
  for (const RankedReport& rank : shown) {
    rows += fmt::format("<text x=\"2\" y=\"{}\" font-size=\"{}\" fill=\"currentColor\">{}</text>",
                        top + row, row, html_text("rank " + rank.result->name));
    top += row + gap;
    for (const analyzer::DeviceResult& device : rank.report->devices) {
      rows += rows_of(device, rank.clock_ns, window, top);
    }
  }
  return fmt::format(
      "<figure class=\"strip\"><svg viewBox=\"0 0 {} {}\" style=\"height:auto\" role=\"img\" "
      "aria-label=\"what each rank did, on one clock\">{}</svg><figcaption>{} on one clock: each "
      "engine of each rank, as high as the share of the time that it was busy{}"
      "</figcaption></figure>\n",
      width, top, rows, html_text(format_ns(window.length())), key_of(shown));
}

std::string findings_of(std::string_view heading, const std::vector<RunFinding>& findings,
                        const RunReport& run) {
  if (findings.empty()) return "";
  std::string text = fmt::format("<h2>{}</h2>\n<ol>", html_text(heading));
  for (const RunFinding& finding : findings) {
    text += fmt::format("<li><p><b>{}</b>: {}</p><p>Fix: {}</p></li>",
                        html_text(code_of(finding.cause)), html_text(sentence_of(finding, run)),
                        html_text(fix_of(finding)));
  }
  return text + "</ol>\n";
}

std::string table_of_ranks(const RunReport& run, const std::vector<const RankResult*>& shown) {
  std::vector<Cells> rows;
  for (const RankResult* rank : shown) {
    Cells cells;
    for (const std::string& cell : cells_of(*rank)) cells.push_back(html_text(cell));
    rows.push_back(std::move(cells));
  }
  Cells head;
  for (const std::string_view name : rank_columns) head.push_back(html_text(name));
  std::string text = table_of("", "lrrrrrr", head, rows);
  if (shown.size() < run.run.ranks.size()) {
    text += fmt::format("<p>and {} ranks that are late for less</p>\n",
                        run.run.ranks.size() - shown.size());
  }
  return text;
}

}  // namespace

void render_ranks_html(const RunReport& run, const TextStyle&, std::ostream& out) {
  const std::vector<const RankResult*> shown = shown_ranks(run);
  std::vector<RankedReport> drawn;
  for (const RankedReport& rank : reports_by_rank(run)) {
    if (std::find(shown.begin(), shown.end(), rank.result) != shown.end()) drawn.push_back(rank);
  }
  std::string head = fmt::format("<h1>{}</h1>\n", html_text(headline_of(run)));
  for (std::size_t i = 1; i < run.run.defects.size(); ++i) {
    head += fmt::format("<p>Also: {}</p>\n", html_text(sentence_of(run.run.defects[i])));
  }
  head += fmt::format("<p>{}</p>\n", html_text(scope_sentence(run)));
  const std::vector<std::string> parts = {
      head, picture_of(drawn, run.run.window), table_of_ranks(run, shown),
      findings_of("Bottlenecks between ranks", run.run.findings, run),
      findings_of("If the data allows it, which no trace shows", run.run.questions, run)};
  const std::string version = run.reports.empty() ? "" : run.reports.front().tool_version;
  write_page(run.folder, parts, version, out);
}

}  // namespace lapscope::reports
