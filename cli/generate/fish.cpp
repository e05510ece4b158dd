#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/generate/generated.h"
#include "cli/option_text.h"

namespace lapscope::cli {
namespace {

// Returns a text in single quotes, in which fish interprets only \\ and \'.
std::string fish_quoted(std::string_view text) { return "'" + escaped(text, "\\'") + "'"; }

void write_options(const std::vector<OptionText>& options, const std::string& condition,
                   std::ostream& out) {
  for (const OptionText& option : options) {
    fmt::print(out, "complete -c lapscope{}", condition);
    for (const std::string& name : option.names) {
      fmt::print(out, " -{} {}", name.starts_with("--") ? 'l' : 's',
                 name.substr(name.find_first_not_of('-')));
    }
    if (!option.choices.empty()) {
      fmt::print(out, " -x -a '{}'", fmt::join(option.choices, " "));
    } else if (option.takes_value) {
      out << (option.takes_file ? " -r" : " -x");
    }
    fmt::print(out, " -d {}\n", fish_quoted(option.what));
  }
}

}  // namespace

void write_fish_completion(const CLI::App& app, std::ostream& out) {
  fmt::print(out, "# Completes the command line of lapscope in fish. Generated; do not edit.\n\n");
  for (const CLI::App* command : app.get_subcommands({})) {
    fmt::print(out, "complete -c lapscope -n __fish_use_subcommand -f -a {} -d {}\n",
               command->get_name(), fish_quoted(command->get_description()));
  }
  write_options(own_options_of(app), "", out);
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string condition = " -n '__fish_seen_subcommand_from " + command->get_name() + "'";
    fmt::print(out, "\n");
    write_options(own_options_of(*command), condition, out);
    if (runs_program(*command)) {
      fmt::print(out, "complete -c lapscope{} -a '(__fish_complete_command)'\n", condition);
    }
  }
}

}  // namespace lapscope::cli
