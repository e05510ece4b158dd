#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <stdexcept>

#include "analyzer/gate_file/toml.h"

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const toml::source_region& place, const std::string& sentence) {
  throw CLI::ConfigError(fmt::format("'{}', line {}: {} (--no-config leaves this file out)",
                                     *place.path, place.begin.line, sentence));
}

toml::table read_table(const fs::path& path) {
  std::error_code unknown;
  std::ifstream file;
  if (fs::is_regular_file(path, unknown)) file.open(path);
  if (!file.is_open()) {
    throw std::runtime_error("'" + path.string() +
                             "' cannot be read; --no-config leaves this file out.");
  }
  try {
    return toml::parse(file, path.string());
  } catch (const toml::parse_error& error) {
    refuse(error.source(), std::string(error.description()));
  }
}

// Returns the name of an option without "no-". --nvtx and --no-nvtx have the same subject. If one
// of them is on the command line, the other is not read from the configuration file.
std::string subject_of(const CLI::Option& option) {
  const std::string& name = option.get_single_name();
  return name.starts_with("no-") ? name.substr(3) : name;
}

std::string text_of(const std::string& name, const toml::node& value) {
  if (const auto* text = value.as_string()) return text->get();
  if (const auto* number = value.as_integer()) return std::to_string(number->get());
  if (const auto* number = value.as_floating_point()) return fmt::format("{}", number->get());
  refuse(value.source(), "'" + name + "' takes a text or a number, or several as [a, b]");
}

Words words_of(const CLI::Option& option, const std::string& name, const toml::node& value) {
  if (option.get_items_expected_max() == 0) {
    const auto* const wanted = value.as_boolean();
    if (wanted == nullptr) refuse(value.source(), "'" + name + "' takes true or false");
    return wanted->get() ? Words{"--" + name} : Words{};
  }
  const auto* const several = value.as_array();
  if (several == nullptr) return {"--" + name + "=" + text_of(name, value)};
  const bool at_once = option.get_items_expected_min() > 1;  // --window FROM TO
  Words words;
  if (at_once) words.push_back("--" + name);
  for (const toml::node& one : *several) {
    words.push_back((at_once ? "" : "--" + name + "=") + text_of(name, one));
  }
  return words;
}

const CLI::Option& option_named(const CLI::App& owner, const std::string& name,
                                const toml::node& value) {
  const bool is_default = name != "help" && name != "version" && name != "no-config";
  const CLI::Option* const option = is_default ? option_of(owner, "--" + name) : nullptr;
  if (option != nullptr) return *option;
  refuse(value.source(),
         "'" + name + "' is no option of " + owner.get_name() + nearest_option(owner, name));
}

const CLI::App& command_named(const CLI::App& app, const std::string& name,
                              const toml::node& table) {
  const CLI::App* const command = command_of(app, name);
  if (command == nullptr) {
    refuse(table.source(), "'" + name + "' is no command" + nearest_command(app, name));
  }
  if (name == "gate") refuse(table.source(), "gate takes no defaults; use a gate file");
  return *command;
}

std::string folder_in(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value == '/' ? value : "";
}

bool holds(const Words& words, const char* word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Returns the path of the user's configuration file: $XDG_CONFIG_HOME/lapscope/config.toml. If
// XDG_CONFIG_HOME is not an absolute path, returns ~/.config/lapscope/config.toml. Returns empty if
// HOME is not an absolute path either.
//
//   color = "never"        # for every sub-command
//   [analyze]
//   min-saving = 5         # an option of this sub-command, without its dashes
fs::path user_configuration() {
  fs::path folder = folder_in("XDG_CONFIG_HOME");
  if (folder.empty() && !folder_in("HOME").empty()) folder = folder_in("HOME") + "/.config";
  return folder.empty() ? folder : folder / "lapscope" / "config.toml";
}

}  // namespace

std::string add_user_defaults(const CLI::App& app, Words& words) {
  const std::size_t at = place_of_command(app, words);
  if (at == words.size() || words[at] == "gate" || holds(words, "--no-config")) return "";
  if (holds(words, "-h") || holds(words, "--help")) return "";
  const fs::path path = user_configuration();
  std::error_code ignored;
  if (path.empty() || !fs::exists(path, ignored)) return "";

  const CLI::App& asked = *command_of(app, words[at]);
  std::set<std::string> decided;
  for (const std::string& word : words) {
    if (const CLI::Option* option = option_of(asked, word)) decided.insert(subject_of(*option));
  }
  Words added;
  const auto take = [&](const CLI::App& owner, const toml::table& table) {
    for (auto&& [key, value] : table) {
      if (&owner == &app && value.is_table()) continue;
      const std::string name(key.str());
      const CLI::Option& option = option_named(owner, name, value);
      const Words said = words_of(option, name, value);
      const bool is_asked = &owner == &asked || &owner == &app;
      if (!is_asked || !decided.insert(subject_of(option)).second) continue;
      added.insert(added.end(), said.begin(), said.end());
    }
  };
  const toml::table root = read_table(path);
  for (auto&& [key, value] : root) {
    if (const toml::table* const table = value.as_table()) {
      take(command_named(app, std::string(key.str()), value), *table);
    }
  }
  take(app, root);  // after the tables, because a sub-command's own entries have priority
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, added.begin(), added.end());
  return path.string();
}

}  // namespace lapscope::cli
