#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "tests/analyzer/examples/drawing.h"

// Worked examples: each is a test and a picture in docs/measures.md at once.
namespace lapscope::test {

// What figures_of() calls a figure, and its value as text.
struct Figure {
  std::string_view name;
  std::string_view value;
};

// What is asked for beside the whole trace; times in characters of the drawing.
struct Asked {
  std::optional<analyzer::Interval> window;
  std::string_view range;  // a pattern
  bool own_threads = false;
  bool profiler = false;
  bool steady = false;
  std::int64_t series = 0;
  std::string_view iterations;               // a pattern
  std::optional<std::int64_t> shortest_gap;  // else 1 us
};

struct Example {
  std::string_view title;  // a sentence
  std::string_view drawing;
  std::vector<Figure> figures;
  Asked asked = {};
  Fills fills = {};
};

// Examples with the text before them.
struct Topic {
  std::string_view title;  // of a measure: its name; of a cause of gaps: its code
  std::string_view note;   // Markdown
  std::vector<Example> examples;
};

// The parts of docs/measures.md.
std::vector<Topic> scope_topics();
std::vector<Topic> measure_topics();  // one a measure
std::vector<Topic> table_topics();    // states, streams, classes, collectives
std::vector<Topic> cause_topics();    // one a cause of gaps
std::vector<Topic> gap_topics();      // what holds of all gaps
std::vector<Topic> edge_topics();

// The figures of an example, in the order in which it names them, as `analyze` computes them.
// Writes a trace into the folder. A figure that the analysis does not have is "none".
std::vector<std::string> computed(const Example& example, const std::filesystem::path& folder);

}  // namespace lapscope::test
