#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "tests/analyzer/examples/drawing.h"

// Worked examples: each is a test, and a picture in docs/measures.md.
namespace lapscope::test {

// The name of a figure in figures_of(), and its value as text.
struct Figure {
  std::string_view name;
  std::string_view value;
};

// The scopes and options with which an example is analyzed. The whole trace is always one of the
// scopes. Times are in characters.
struct Asked {
  std::optional<analyzer::Interval> window;
  std::string_view range;  // a pattern
  bool own_threads = false;
  bool profiler = false;
  bool steady = false;
  std::int64_t series = 0;
  std::string_view iterations;  // a pattern
};

struct Example {
  std::string_view title;  // a sentence
  std::string_view drawing;
  std::vector<Figure> figures;
  Asked asked = {};
  Fills fills = {};
};

// Examples under one heading, with a text before them.
struct Topic {
  std::string_view title;  // a measure's name, or the code of a cause of gaps
  std::string_view note;   // Markdown
  std::vector<Example> examples;
};

// Return the parts of docs/measures.md.
std::vector<Topic> scope_topics();
std::vector<Topic> measure_topics();  // one for each measure
std::vector<Topic> table_topics();    // states, streams, classes, collectives
std::vector<Topic> cause_topics();    // one for each cause of gaps
std::vector<Topic> gap_topics();      // properties that all gaps share
std::vector<Topic> edge_topics();

// Writes a trace into the folder and analyzes it. Returns the figures in the order of the example;
// a figure that the analysis does not have is "none".
std::vector<std::string> computed(const Example& example, const std::filesystem::path& folder);

}  // namespace lapscope::test
