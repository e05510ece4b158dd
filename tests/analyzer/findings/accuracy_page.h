#pragma once

#include <filesystem>
#include <ostream>

namespace lapscope::test {

// Writes docs/what-if-accuracy.md: what the analysis says of every recorded trace of the catalogue
// in `traces`, and how close its predictions come to the programs that were put right.
void write_accuracy_page(const std::filesystem::path& traces, std::ostream& out);

}  // namespace lapscope::test
