#include <sstream>

#include "analyzer/gate/judge_gate.h"
#include "analyzer/gate_file/gate_file.h"
#include "analyzer/ranks/judge_ranks.h"
#include "analyzer/ranks/rank_summary.h"
#include "analyzer/summary/summary_file.h"
#include "cli/commands.h"
#include "reports/ranks/render_ranks.h"
#include "tests/fuzz/input.h"

namespace lapscope::fuzz {

void gate_file(Bytes input) {
  try {
    analyzer::read_gate_file(text_of(input), "lapscope.toml");
  } catch (const analyzer::GateFileError&) {
  }
}

// Reads a summary, writes it again and evaluates a gate, because gates must cope with an untrusted
// summary.
void summary(Bytes input) {
  try {
    const auto runs = analyzer::read_summary(file_of(input));
    std::ostringstream again;
    analyzer::write_summary(runs, again);
    analyzer::Gate gate;
    gate.name = "all";
    for (const analyzer::Measure* measure : analyzer::measures()) {
      gate.bounds.push_back({measure, analyzer::Sense::at_least, 0.5, {}});
    }
    gate.baseline.emplace();
    analyzer::judge_gate(gate, runs, runs, {});
  } catch (const analyzer::UnreadableSummary&) {
  }
}

void rank_summary(Bytes input) {
  try {
    const auto ranks = analyzer::read_rank_summary(file_of(input));
    std::ostringstream again;
    analyzer::write_rank_summary(ranks, again);
    if (ranks.empty()) return;
    reports::RunReport run;
    run.run = analyzer::judge_ranks(ranks, 0);
    std::ostringstream page;
    reports::render_ranks_html(run, {}, page);
    reports::render_ranks_diff_json(run, run, page);
  } catch (const std::runtime_error&) {
  }
}

void command_line(Bytes input) {
  std::vector<std::string> words;
  std::string text = text_of(input);
  for (std::istringstream rest(text); std::getline(rest, text, '\0');) words.push_back(text);
  std::reverse(words.begin(), words.end());
  // Adding the commands takes 100 times as long as parsing, so it is done once.
  static CLI::App* const app = [] {
    static const std::vector<std::string> no_program;
    static CLI::App all;
    cli::add_commands(all, no_program);
    // Stops before any command runs.
    all.parse_complete_callback([] { throw CLI::Success(); });
    return &all;
  }();
  try {
    app->parse(words);
  } catch (const CLI::Error&) {
  }
}

}  // namespace lapscope::fuzz
