#include "tests/analyzer/fixes/fixed.h"

#include <sstream>
#include <string>

#include "analyzer/independence/independence.h"

namespace lapscope::test {

analyzer::Graph fixed(const Program& program, std::string_view fixes) {
  analyzer::Graph graph = graph_of(program.trace);
  std::istringstream words{std::string(fixes)};
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    const auto cause = analyzer::cause_of_code(word.substr(0, colon));
    const double value = colon == std::string::npos ? 0 : std::stod(word.substr(colon + 1));
    graph = edited(analyzer::fix_for(cause.value())->edits(program.trace, graph, value));
  }
  return graph;
}

std::optional<analyzer::Graph> where_shown(const Program& program, std::string_view fix) {
  const analyzer::Graph graph = graph_of(program.trace);
  const analyzer::Fix& made = *analyzer::fix_for(analyzer::cause_of_code(fix).value());
  const auto edits =
      made.where_independent(program.trace, graph, analyzer::Independence(program.trace));
  if (!edits) return std::nullopt;
  return edited(*edits);
}

}  // namespace lapscope::test
