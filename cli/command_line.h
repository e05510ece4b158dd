#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace lapscope::cli {

using Words = std::vector<std::string>;

// The sub-command of a name; null if there is none.
const CLI::App* command_of(const CLI::App& app, const std::string& name);

// The option of a sub-command, or of the program, that a word names, as "--fix=host-sync" does;
// null when there is none.
const CLI::Option* option_of(const CLI::App& command, const std::string& word);

// Where the sub-command stands in `words`; their number when it is nowhere.
std::size_t place_of_command(const CLI::App& app, const Words& words);

// "; did you mean 'analyze'?", of the names that there are.
std::string nearest_command(const CLI::App& app, const std::string& name);
std::string nearest_option(const CLI::App& command,
                           const std::string& name);  // with or without its dashes

// `words` with what people type instead of what the parser knows: "help analyze" is "analyze
// --help", "-V" is "--version".
Words usual_words(Words words);

// Takes the program that `record` is to run, with its arguments, off the words: what stands behind
// "--", or behind the options of `record`. It must not go through the parser, which would split
// arguments such as [a,b].
Words take_program(const CLI::App& record, Words& words);

// "; did you mean 'analyze'?": for a sub-command or an option that does not exist, the nearest one
// that does. Empty if every word is known.
std::string near_miss(const CLI::App& app, const Words& words);

}  // namespace lapscope::cli
