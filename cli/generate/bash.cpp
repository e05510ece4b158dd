#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/generate/generated.h"
#include "cli/option_text.h"

namespace lapscope::cli {
namespace {

// The part of the script that does not depend on the options. Readline splits --format=json into
// the words --format, = and json.
constexpr std::string_view body = R"bash(
_lapscope() {
  local current=${COMP_WORDS[COMP_CWORD]} command='' option='' program='' word i
  local names='' valued='' choices=''
  COMPREPLY=()
  _lapscope_options ''
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [[ $word == = ]]; then
      continue
    elif [[ -n $option ]]; then
      option=''
    elif [[ $word == -- ]]; then
      program=$((i + 1))
      break
    elif [[ $word == -* ]]; then
      if [[ " $valued " == *" $word "* ]]; then option=$word; fi
    elif [[ -z $command ]]; then
      command=$word
      _lapscope_options "$command"
    elif [[ $command == record ]]; then
      program=$i
      break
    fi
  done
  [[ $current == = ]] && current=''
  if [[ -n $option ]]; then
    _lapscope_choices "$command" "$option"
  elif [[ $command == record && ( -n $program || $current != -* ) ]]; then
    program=${program:-$COMP_CWORD}
    if declare -F _command_offset >/dev/null; then
      _command_offset "$program"
    elif ((program == COMP_CWORD)); then
      mapfile -t COMPREPLY < <(compgen -c -- "$current")
    fi
    return
  elif [[ $current == -* || -z $command ]]; then
    choices=$names
  fi
  # Without a choice, readline completes names of files.
  if [[ -n $choices ]]; then mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current"); fi
}
complete -o bashdefault -o default -F _lapscope lapscope
)bash";

void write_names(const CLI::App& command, const std::string& more_names, std::ostream& out) {
  std::string names = more_names;
  std::string valued;
  for (const OptionText& option : options_of(command)) {
    for (const std::string& name : option.names) {
      names += (names.empty() ? "" : " ") + name;
      if (option.takes_value) valued += (valued.empty() ? "" : " ") + name;
    }
  }
  fmt::print(out, "      names='{}'\n      valued='{}'\n      ;;\n", names, valued);
}

void write_choices(const CLI::App& command, const std::string& pattern, std::ostream& out) {
  for (const OptionText& option : own_options_of(command)) {
    if (option.choices.empty()) continue;
    std::string patterns;
    for (const std::string& name : option.names) {
      patterns += (patterns.empty() ? "'" : " | '") + pattern + "'" + name;
    }
    if (pattern == "*") patterns = "*' " + option.names.back() + "'";
    fmt::print(out, "    {}) choices='{}' ;;\n", patterns, fmt::join(option.choices, " "));
  }
}

}  // namespace

void write_bash_completion(const CLI::App& app, std::ostream& out) {
  fmt::print(out, "# Completes the command line of lapscope in bash. Generated; do not edit.\n\n");
  fmt::print(out, "_lapscope_options() {{ # COMMAND\n  case $1 in\n");
  std::string commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands += (commands.empty() ? "" : " ") + command->get_name();
    fmt::print(out, "    {})\n", command->get_name());
    write_names(*command, "", out);
  }
  fmt::print(out, "    '')\n");
  write_names(app, commands, out);
  fmt::print(out, "  esac\n}}\n\n_lapscope_choices() {{ # COMMAND OPTION\n  case \"$1 $2\" in\n");
  for (const CLI::App* command : app.get_subcommands({})) {
    write_choices(*command, command->get_name() + " ", out);
  }
  write_choices(app, "*", out);
  fmt::print(out, "  esac\n}}\n{}", body);
}

}  // namespace lapscope::cli
