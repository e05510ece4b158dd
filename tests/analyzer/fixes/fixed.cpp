#include "tests/analyzer/fixes/fixed.h"

#include <sstream>
#include <string>

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

}  // namespace lapscope::test
