#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lapscope::cli {

using Words = std::vector<std::string>;

// Returns the sub-command called `name`, or null.
const CLI::App* command_of(const CLI::App& app, const std::string& name);

// Returns the option that `word` names: "--fix=host-sync" names --fix. Searches the options of
// `command`, then the program's own options. Returns null if there is no such option.
const CLI::Option* option_of(const CLI::App& command, const std::string& word);

// Returns the index in `words` of the sub-command, or words.size() if there is none.
std::size_t place_of_command(const CLI::App& app, const Words& words);

// Return a question such as "; did you mean 'analyze'?", with the sub-command or the option whose
// name is most similar to `name`. Return an empty string if no name is similar.
std::string nearest_command(const CLI::App& app, const std::string& name);
std::string nearest_option(const CLI::App& command,
                           const std::string& name);  // with or without its dashes

// Runs a command and returns its exit status. `words` is the command line without the name of the
// program. Throws nothing. Keeps no state between calls.
int run(Words words);

// Reads the options for the sub-command in `words` from the configuration file, and adds them to
// `words`. Does not add options that are already in `words`. Returns the path of the file, or an
// empty string if it was not read.
//
// The file is not read with --no-config or --help. `gate` never reads it, because the verdict must
// not depend on the user. Throws CLI::ConfigError with a sentence that names file, line and key.
std::string add_user_defaults(const CLI::App& app, Words& words);

}  // namespace lapscope::cli
