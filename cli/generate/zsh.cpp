#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/generate/generated.h"
#include "cli/option_text.h"

namespace lapscope::cli {
namespace {

std::string zsh_quoted(std::string_view text) {
  std::string result = "'";
  for (const char sign : text) result += sign == '\'' ? "'\\''" : std::string(1, sign);
  return result + "'";
}

std::string value_of(const OptionText& option) {
  if (!option.takes_value) return "";
  if (!option.choices.empty()) return fmt::format(":value:({})", fmt::join(option.choices, " "));
  return option.takes_file ? ":value:_files" : ":number: ";
}

// Writes the option specifications for zsh's function _arguments, one for each name of an option.
void write_arguments(const CLI::App& command, std::string_view indent, std::ostream& out) {
  for (const OptionText& option : options_of(command)) {
    const std::string what = "[" + escaped(option.what, "[]") + "]" + value_of(option);
    for (const std::string& name : option.names) {
      const bool is_long = name.starts_with("--");
      const std::string others =
          option.may_repeat ? "*" : fmt::format("({})", fmt::join(option.names, " "));
      const char* const sign = !option.takes_value ? "" : is_long ? "=" : "+";
      fmt::print(out, "{}{} \\\n", indent, zsh_quoted(others + name + sign + what));
    }
  }
}

}  // namespace

void write_zsh_completion(const CLI::App& app, std::ostream& out) {
  fmt::print(out,
             "#compdef lapscope\n"
             "# Completes the command line of lapscope in zsh. Generated; do not edit.\n\n"
             "_lapscope() {{\n"
             "  local curcontext=$curcontext state line\n"
             "  typeset -A opt_args\n"
             "  local -a commands=(\n");
  for (const CLI::App* command : app.get_subcommands({})) {
    fmt::print(out, "    {}\n", zsh_quoted(command->get_name() + ":" + command->get_description()));
  }
  fmt::print(out, "  )\n  _arguments -C \\\n");
  write_arguments(app, "    ", out);
  fmt::print(out,
             "    '1:command:->command' \\\n"
             "    '*::argument:->argument'\n"
             "  case $state in\n"
             "    command) _describe command commands ;;\n"
             "    argument)\n"
             "      case $line[1] in\n");
  for (const CLI::App* command : app.get_subcommands({})) {
    fmt::print(out, "        {})\n          _arguments -S \\\n", command->get_name());
    write_arguments(*command, "            ", out);
    if (runs_program(*command)) {
      fmt::print(out,
                 "            '(-)1:program:_command_names -e' \\\n"
                 "            '*::argument:_normal'\n");
    } else {
      fmt::print(out, "            '*:file:_files'\n");
    }
    fmt::print(out, "          ;;\n");
  }
  fmt::print(out, "      esac\n      ;;\n  esac\n}}\n\n_lapscope \"$@\"\n");
}

}  // namespace lapscope::cli
