#pragma once

#include <string>

#include "analyzer/diff/comparison.h"
#include "reports/words/word_tables.h"

// The texts that all renderers of a comparison share.
namespace lapscope::reports {

// Limits in text and Markdown: rows of a table, and terminal columns of a name.
inline constexpr std::size_t shown_rows = 8;
inline constexpr std::size_t shown_name = 60;

// The cells of a table row.
struct ChangeCells {
  std::string before;
  std::string after;
  std::string difference;  // "" if a side has no value
  std::string meaning;     // "worse, p 0.030"; "" if unclear
};

ChangeCells cells_of(const analyzer::FigureChange& figure, analyzer::MeasureUnit unit);
// Returns the cells for a ratio that a page shows as a card. The values are in percent, and the
// difference is in percentage points.
ChangeCells cells_of(const analyzer::FigureChange& figure, const Card& card);

// Returns the verdict on the first compared scope: "2.6 × faster: default-stream-barrier is gone."
// Returns an empty text if a wall time is unknown or no conclusion is possible.
std::string verdict_sentence(const analyzer::Comparison& comparison);

// Describes the default scopes that are compared. Empty if the user named a scope.
std::string scope_sentence(const analyzer::Comparison& comparison);

// States how well differences can be separated from noise.
std::string noise_sentence(const analyzer::Comparison& comparison);

// Returns a finding in one line: "default-stream-barrier: stamp_tile in the legacy default stream
// (fix saves 62.1 %)". Names the savings and source lines of both runs, if they are known: "at
// pipeline.cu:125 in upload (pipeline.cu:120 in upload before)".
std::string finding_text(const analyzer::FindingChange& finding);

// Returns the number of a launch: "launch 3 of 4 (2 of 3 before)", or only "launch 3 of 4" if both
// runs have the same numbers.
std::string launch_text(const analyzer::LaunchChange& launch);

}  // namespace lapscope::reports
