#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::cli {

// An option or an argument as help, completions and the manual page show it, in the words of its
// definition.
struct OptionText {
  std::vector<std::string> names;  // "-o", "--output"; of an argument "FILE"
  std::string group;               // the heading of help that it stands under
  std::string what;
  std::string value;                 // what stands for its value, as "N"; empty: it takes none
  std::vector<std::string> choices;  // empty: any value
  std::string limits;                // of a number, in words: "from 10 to 60000"
  std::string usual;                 // the default, where there is one to show
  bool takes_value = false;
  bool takes_file = false;  // or any other text; else a number
  bool may_repeat = false;
};

// What `command` takes, in the order of its help, without what help hides. A sub-command also takes
// what the program itself does.
std::vector<OptionText> options_of(const CLI::App& command);

// As above, for the sub-command alone.
std::vector<OptionText> own_options_of(const CLI::App& command);

// The positional arguments.
std::vector<OptionText> argument_texts_of(const CLI::App& command);
// Their names, as "FILE...".
std::vector<std::string> arguments_of(const CLI::App& command);

// Whether its arguments are a program and what that takes, which the parser does not see.
bool runs_program(const CLI::App& command);

// `text` with a backslash before each of `signs`.
std::string escaped(std::string_view text, std::string_view signs);

}  // namespace lapscope::cli
