#include <fmt/format.h>

#include <ostream>

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
  out << fmt::format("      names='{}'\n      valued='{}'\n      ;;\n", names, valued);
}

void write_choices(const CLI::App& command, const std::string& pattern, std::ostream& out) {
  for (const OptionText& option : own_options_of(command)) {
    if (option.choices.empty()) continue;
    std::string patterns;
    for (const std::string& name : option.names) {
      patterns += (patterns.empty() ? "'" : " | '") + pattern + "'" + name;
    }
    if (pattern == "*") patterns = "*' " + option.names.back() + "'";
    out << fmt::format("    {}) choices='{}' ;;\n", patterns, fmt::join(option.choices, " "));
  }
}

// Returns a text in single quotes, in which fish interprets only \\ and \'.
std::string fish_quoted(std::string_view text) { return "'" + escaped(text, "\\'") + "'"; }

void write_options(const std::vector<OptionText>& options, const std::string& condition,
                   std::ostream& out) {
  for (const OptionText& option : options) {
    out << fmt::format("complete -c lapscope{}", condition);
    for (const std::string& name : option.names) {
      out << fmt::format(" -{} {}", name.starts_with("--") ? 'l' : 's',
                         name.substr(name.find_first_not_of('-')));
    }
    if (!option.choices.empty()) {
      out << fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
    } else if (option.takes_value) {
      out << (option.takes_file ? " -r" : " -x");
    }
    out << fmt::format(" -d {}\n", fish_quoted(option.what));
  }
}

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
      out << fmt::format("{}{} \\\n", indent, zsh_quoted(others + name + sign + what));
    }
  }
}

}  // namespace

void write_bash_completion(const CLI::App& app, std::ostream& out) {
  out << fmt::format(
      "# Completes the command line of lapscope in bash. Generated; do not edit.\n\n");
  out << fmt::format("_lapscope_options() {{ # COMMAND\n  case $1 in\n");
  std::string commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands += (commands.empty() ? "" : " ") + command->get_name();
    out << fmt::format("    {})\n", command->get_name());
    write_names(*command, "", out);
  }
  out << "    '')\n";
  write_names(app, commands, out);
  out << fmt::format(
      "  esac\n}}\n\n_lapscope_choices() {{ # COMMAND OPTION\n  case \"$1 $2\" in\n");
  for (const CLI::App* command : app.get_subcommands({})) {
    write_choices(*command, command->get_name() + " ", out);
  }
  write_choices(app, "*", out);
  out << fmt::format("  esac\n}}\n{}", body);
}

void write_fish_completion(const CLI::App& app, std::ostream& out) {
  out << fmt::format(
      "# Completes the command line of lapscope in fish. Generated; do not edit.\n\n");
  for (const CLI::App* command : app.get_subcommands({})) {
    out << fmt::format("complete -c lapscope -n __fish_use_subcommand -f -a {} -d {}\n",
                       command->get_name(), fish_quoted(command->get_description()));
  }
  write_options(own_options_of(app), "", out);
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string condition = " -n '__fish_seen_subcommand_from " + command->get_name() + "'";
    out << "\n";
    write_options(own_options_of(*command), condition, out);
    if (runs_program(*command)) {
      out << fmt::format("complete -c lapscope{} -a '(__fish_complete_command)'\n", condition);
    }
  }
}

void write_zsh_completion(const CLI::App& app, std::ostream& out) {
  out << fmt::format(
      "#compdef lapscope\n"
      "# Completes the command line of lapscope in zsh. Generated; do not edit.\n\n"
      "_lapscope() {{\n"
      "  local curcontext=$curcontext state line\n"
      "  typeset -A opt_args\n"
      "  local -a commands=(\n");
  for (const CLI::App* command : app.get_subcommands({})) {
    out << fmt::format("    {}\n",
                       zsh_quoted(command->get_name() + ":" + command->get_description()));
  }
  out << "  )\n  _arguments -C \\\n";
  write_arguments(app, "    ", out);
  out << fmt::format(
      "    '1:command:->command' \\\n"
      "    '*::argument:->argument'\n"
      "  case $state in\n"
      "    command) _describe command commands ;;\n"
      "    argument)\n"
      "      case $line[1] in\n");
  for (const CLI::App* command : app.get_subcommands({})) {
    out << fmt::format("        {})\n          _arguments -S \\\n", command->get_name());
    write_arguments(*command, "            ", out);
    if (runs_program(*command)) {
      out << fmt::format(
          "            '(-)1:program:_command_names -e' \\\n"
          "            '*::argument:_normal'\n");
    } else {
      out << "            '*:file:_files'\n";
    }
    out << "          ;;\n";
  }
  out << fmt::format("      esac\n      ;;\n  esac\n}}\n\n_lapscope \"$@\"\n");
}

}  // namespace lapscope::cli
