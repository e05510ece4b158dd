#pragma once

#include <ostream>
#include <vector>

#include "tests/analyzer/findings/accuracy_rows.h"

// The tables of docs/what-if-accuracy.md, as Markdown.
namespace lapscope::test {

// Errors by the class of fix: in sample, leave one out, kept aside, H100.
void write_sets(const Accuracy& accuracy, std::ostream& out);

// How wide bands are, and how many of the pairs kept aside lie in theirs.
void write_bands(const std::vector<AccuracyPair>& pairs, std::ostream& out);

// Which assumptions stood in for examples, and in how many cases: a sentence.
void write_stand_ins(const std::vector<AccuracyPair>& pairs, std::ostream& out);

// A row for each pair.
void write_predictions(const Accuracy& accuracy, std::ostream& out);

// Likewise, of those recorded on an H100.
void write_on_h100(const Accuracy& accuracy, std::ostream& out);

// Programs put right, asked for the fix that they have.
void write_again(const std::vector<AccuracyPair>& again, std::ostream& out);

// What is planted against what is found.
void write_confusion(const std::vector<AccuracyRow>& rows, std::ostream& out);

// A row for each trace: how far replays are off.
void write_replays(const std::vector<AccuracyRow>& rows, std::ostream& out);

// Traces from their first op to their last.
void write_whole(const std::vector<WholeTrace>& traces, std::ostream& out);

}  // namespace lapscope::test
