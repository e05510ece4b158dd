#include "cli/command_line.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include "analyzer/model/name_pattern.h"
#include "cli/commands.h"

namespace lapscope::cli {
namespace {

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

bool has_value_inside(const std::string& word) {
  return word.starts_with("--") ? word.find('=') != std::string::npos : word.size() > 2;
}

std::string nearest(const std::string& meant, const Words& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto near = analyzer::nearest_name(meant, views);
  return near ? "; did you mean '" + std::string(*near) + "'?" : "";
}

// Returns the number of words of the option `word`: 2 if the next word is its value, else 1.
std::size_t length_of_option(const CLI::App& command, const std::string& word) {
  const CLI::Option* option = option_of(command, word);
  const bool takes_next = option && option->get_items_expected_max() > 0 && !has_value_inside(word);
  return takes_next ? 2 : 1;
}

}  // namespace

const CLI::App* command_of(const CLI::App& app, const std::string& name) {
  const auto commands = app.get_subcommands({});
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [&name](const CLI::App* one) { return one->get_name() == name; });
  return found == commands.end() ? nullptr : *found;
}

const CLI::Option* option_of(const CLI::App& command, const std::string& word) {
  const bool is_long = word.starts_with("--");
  const std::string name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
  const CLI::Option* own = command.get_option_no_throw(name);
  const CLI::App* program = command.get_parent();
  return own || !program ? own : program->get_option_no_throw(name);
}

std::size_t place_of_command(const CLI::App& app, const Words& words) {
  std::size_t at = 0;
  while (at < words.size() && is_option(words[at])) at += length_of_option(app, words[at]);
  return at < words.size() && command_of(app, words[at]) ? at : words.size();
}

std::string nearest_command(const CLI::App& app, const std::string& name) {
  Words names;
  for (const CLI::App* one : app.get_subcommands({})) names.push_back(one->get_name());
  return nearest(name, names);
}

std::string nearest_option(const CLI::App& command, const std::string& name) {
  Words names;
  for (const CLI::App* one : {&command, command.get_parent()}) {
    if (one == nullptr) continue;
    for (const CLI::Option* option : one->get_options()) {
      for (const std::string& long_name : option->get_lnames()) {
        names.push_back((name.starts_with("--") ? "--" : "") + long_name);
      }
    }
  }
  return nearest(name, names);
}

namespace {

// Replaces common spellings with those that the parser accepts. "help analyze" becomes "analyze
// --help", and "-V" becomes "--version".
Words usual_words(Words words) {
  if (words.empty()) return words;
  if (words.front() == "-V") words.front() = "--version";
  if (words.front() != "help") return words;
  words.erase(words.begin());
  words.resize(std::min<std::size_t>(words.size(), 1));
  words.emplace_back("--help");
  return words;
}

// Cuts the command line of the recorded program off the end of `words`, and returns it. It begins
// after "--", or after the options of `record`. The parser must not see this command line, because
// the parser would split an argument such as [a,b].
Words take_program(const CLI::App& record, Words& words) {
  std::size_t at = 1;
  while (at < words.size() && words[at] != "--" && is_option(words[at])) {
    at += length_of_option(record, words[at]);
  }
  at = std::min(at, words.size());
  const std::size_t begin = at < words.size() && words[at] == "--" ? at + 1 : at;
  Words program(words.begin() + static_cast<std::ptrdiff_t>(begin), words.end());
  words.resize(at);
  return program;
}

// Returns a sentence about the first unknown sub-command or long option: "'analyse' is no command;
// did you mean 'analyze'?". Empty if all are known.
std::string near_miss(const CLI::App& app, const Words& words) {
  if (words.empty()) return "";
  const CLI::App* command = command_of(app, words.front());
  if (command == nullptr) {
    if (is_option(words.front())) return "";
    return "'" + words.front() + "' is no command" + nearest_command(app, words.front());
  }
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    if (!words[i].starts_with("--") || option_of(*command, words[i])) continue;
    const std::string meant = words[i].substr(0, words[i].find('='));
    return "'" + meant + "' is no option of " + words.front() + nearest_option(*command, meant);
  }
  return "";
}

}  // namespace

int run(Words words) {
  words = usual_words(std::move(words));
  const bool records = !words.empty() && words.front() == "record";
  Words program;
  std::string defaults;  // path of the configuration file that was read

  CLI::App app;
  // The exit status of `record` may also come from the program that it runs. So the exit status
  // does not show whether the program was run, and the message must do so.
  const std::string end = records ? "; the program was not run" : "";
  app.failure_message([&](const CLI::App*, const CLI::Error& error) {
    if (dynamic_cast<const CLI::ConfigError*>(&error) != nullptr) {
      say(error.what(), end);
      return std::string();
    }
    const std::string near = near_miss(app, words);
    const std::size_t at = place_of_command(app, words);
    const std::string help = at < words.size() ? words[at] + " --help" : "--help";
    const std::string from =
        defaults.empty() ? "" : "; '" + defaults + "' was read, too (--no-config leaves it out)";
    say(near.empty() ? error.what() : near, " (see lapscope ", help, ")", from, end);
    return std::string();
  });
  add_commands(app, program);
  try {
    if (records) program = take_program(*app.get_subcommand("record"), words);
    defaults = add_user_defaults(app, words);
    app.parse(Words(words.rbegin(), words.rend()));
  } catch (const CLI::RuntimeError& ended) {
    return ended.get_exit_code();
  } catch (const CLI::ParseError& error) {
    // --help and --version end here, too, with status 0.
    return app.exit(error, std::cout, std::cerr) == 0 ? good : usage;
  } catch (const WrongUsage& wrong) {
    say(wrong.what());
    return usage;
  } catch (const std::exception& error) {
    say(error.what());
    return unreadable;
  }
  return good;
}

}  // namespace lapscope::cli
