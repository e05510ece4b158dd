#include "cli/command_line.h"

#include <algorithm>

#include "analyzer/model/name_pattern.h"

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

// Returns how many words of the command line an option takes: 2 if the next word is its value, else
// 1.
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

Words usual_words(Words words) {
  if (words.empty()) return words;
  if (words.front() == "-V") words.front() = "--version";
  if (words.front() != "help") return words;
  words.erase(words.begin());
  words.resize(std::min<std::size_t>(words.size(), 1));
  words.emplace_back("--help");
  return words;
}

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

}  // namespace lapscope::cli
