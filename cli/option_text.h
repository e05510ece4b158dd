#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::cli {

// An option or argument as described in help, completions and the manual page.
struct OptionText {
  std::vector<std::string> names;  // "-o", "--output"; for an argument "FILE"
  std::string group;               // the heading in help under which the option stands
  std::string what;
  std::string value;  // the placeholder, such as "N"; empty: the option takes no value
  std::vector<std::string> choices;  // empty: any value
  std::string limits;                // the range of a number, in words: "from 10 to 60000"
  std::string usual;                 // the default; empty if help shows none
  bool takes_value = false;
  bool takes_file = false;  // true: the value is a file or another text; false: a number
  bool may_repeat = false;
};

// Returns the options of `command` in the order of its help. Leaves out hidden options. If
// `command` is a sub-command, includes the options of lapscope itself.
std::vector<OptionText> options_of(const CLI::App& command);

// Returns the same as options_of(), but without the options of lapscope itself.
std::vector<OptionText> own_options_of(const CLI::App& command);

std::vector<OptionText> argument_texts_of(const CLI::App& command);
// Returns the names of the positional arguments, such as "FILE...".
std::vector<std::string> arguments_of(const CLI::App& command);

// Whether `command` runs another program, whose name and arguments the parser does not see.
bool runs_program(const CLI::App& command);

std::string escaped(std::string_view text, std::string_view signs);

}  // namespace lapscope::cli
