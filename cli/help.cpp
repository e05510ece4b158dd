#include "cli/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/option_text.h"
#include "cli/output_options.h"
#include "reports/text/layout.h"

namespace lapscope::cli {
namespace {

constexpr std::size_t column = 30;  // column where descriptions begin

// Returns the lines for a name and its description. After a long name, the description begins on a
// new line.
std::string entry(const std::string& name, const std::string& what) {
  constexpr std::size_t longest = 100;
  const std::size_t width = std::min(style_of_stdout().width, longest);
  std::string text = "  " + name;
  if (what.empty()) return text + "\n";
  text += text.size() + 2 > column ? "\n" + std::string(column, ' ')
                                   : std::string(column - text.size(), ' ');
  const std::string lines = reports::wrapped(what, std::max(width, column + 20) - column, 0);
  return text + CLI::detail::find_and_replace(lines, "\n", "\n" + std::string(column, ' ')) + "\n";
}

// Returns, for example, "-o,--output TEXT", with the first of several long names.
std::string name_of(const OptionText& option) {
  std::string name;
  for (const std::string& one : option.names) {
    name += (name.empty() ? "" : ",") + one;
    if (one.starts_with("--")) break;
  }
  if (!option.takes_value || option.names.front().front() != '-') return name;
  if (!option.choices.empty()) return fmt::format("{} {}", name, fmt::join(option.choices, "|"));
  return name + " " + option.value + (option.may_repeat && option.value == "TEXT" ? " ..." : "");
}

std::string what_of(const OptionText& option) {
  std::string more = option.limits;
  if (!option.usual.empty()) more += (more.empty() ? "" : ", ") + option.usual + " by default";
  return option.what + (more.empty() ? "" : " (" + more + ")");
}

std::string entry(const OptionText& option) { return entry(name_of(option), what_of(option)); }

// A heading, and the options under it that several sub-commands share. All other options are under
// "Options", or under a heading that their command sets.
struct Heading {
  const char* text;
  std::vector<std::string> options;
};

const Heading headings[] = {
    {"Scope",
     {"--range", "--profiler-brackets", "--range-threads", "--whole", "--steady", "--window",
      "--iterations", "--device"}},
    {"Bottlenecks", {"--no-causes", "--sample", "--min-saving", "--min-saving-us", "--call-sites"}},
    {"Tables", {"--series", "--path"}},
    {"Accepted runs",
     {"--min-ops", "--max-replay-error", "--allow", "--allow-other-gpu", "--allow-other-command"}},
};

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    std::string text = make_description(app) + make_usage(app, std::move(name));
    if (const auto arguments = argument_texts_of(*app); !arguments.empty()) {
      text += "\nArguments:\n";
      for (const OptionText& argument : arguments) text += entry(argument);
    }
    std::string group;
    for (const OptionText& option : own_options_of(*app)) {
      if (option.group != group) text += "\n" + option.group + ":\n";
      group = option.group;
      text += entry(option);
    }
    return text + make_subcommands(app, CLI::AppFormatMode::Normal) + "\n" + make_footer(app);
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(app, std::move(name));
    if (!runs_program(*app)) return usage;
    usage.pop_back();
    return fmt::format("{} {}\n", usage, fmt::join(arguments_of(*app), " "));
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description());
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

void group_options(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_group() != "Options") continue;
      for (const Heading& heading : headings) {
        const auto is_under = [&heading](const std::string& name) {
          return std::ranges::find(heading.options, "--" + name) != heading.options.end();
        };
        if (std::ranges::any_of(option->get_lnames(), is_under)) option->group(heading.text);
      }
    }
  }
}

}  // namespace lapscope::cli
