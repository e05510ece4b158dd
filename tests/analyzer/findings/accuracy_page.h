#pragma once

#include <ostream>

#include "tests/analyzer/findings/accuracy_rows.h"

namespace lapscope::test {

// Writes docs/what-if-accuracy.md: what the analysis says of every recorded trace of the catalogue,
// and how close its predictions come to the programs that were put right.
void write_accuracy_page(const Accuracy& accuracy, std::ostream& out);

// Whether hardly any of its time is unexplained, and the replay close to it: the goals.
bool is_explained(const WholeTrace& trace);

// Writes analyzer/findings/recorded_accuracy.h: what lapscope itself knows of that.
void write_accuracy_header(const Accuracy& accuracy, std::ostream& out);

}  // namespace lapscope::test
