#pragma once

#include <string>

#include "analyzer/diff/comparison.h"
#include "reports/words/word_tables.h"

// What all renderings of a comparison say in the same words.
namespace lapscope::reports {

// Text and Markdown list so many rows of a table, and names up to so many columns.
inline constexpr std::size_t shown_rows = 8;
inline constexpr std::size_t shown_name = 60;

// Cells: before, after, the difference, and what it means.
struct ChangeCells {
  std::string before;
  std::string after;
  std::string difference;  // "" unless both are there
  std::string meaning;     // "worse, p 0.03"; "" when it is unclear
};

ChangeCells cells_of(const analyzer::FigureChange& figure, analyzer::MeasureUnit unit);
// The cells of a ratio as a card shows it, in percent; the difference is in percentage points.
ChangeCells cells_of(const analyzer::FigureChange& figure, const Card& card);

// The verdict on the first work that is compared: "2.6 × faster: default-stream-barrier is gone."
// Empty where the wall time of a side is unknown, and where nothing can be concluded.
std::string verdict_sentence(const analyzer::Comparison& comparison);

// What is compared by default, as a sentence; empty where something was named.
std::string scope_sentence(const analyzer::Comparison& comparison);

// How far the figures can be separated from noise, as a sentence.
std::string noise_sentence(const analyzer::Comparison& comparison);

// "default-stream-barrier: what (62.1 %)" with the shares of both sides where they have one, and
// the line where it is known: "at pipeline.cu:125 in run (pipeline.cu:120 in run before)".
std::string finding_text(const analyzer::FindingChange& finding);

// "launch 3 of 4", and which one it was before where that differs.
std::string launch_text(const analyzer::LaunchChange& launch);

}  // namespace lapscope::reports
