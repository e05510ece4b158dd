#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace lapscope::cli {

using Words = std::vector<std::string>;

// `words` with what people type instead of what the parser knows: "help analyze" is "analyze
// --help", "-V" is "--version".
Words usual_words(Words words);

// Takes the program that `record` is to run, with its arguments, off the words: what stands behind
// "--", or behind the options of `record`. It must not go through the parser, which would split
// arguments such as [a,b].
Words take_program(const CLI::App& record, Words& words);

// "; did you mean 'analyze'?": for a sub-command or an option that there is none of, what is there
// that is nearest. Empty where every word is known.
std::string near_miss(const CLI::App& app, const Words& words);

}  // namespace lapscope::cli
