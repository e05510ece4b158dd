#include "cli/option_text.h"

#include <algorithm>

namespace lapscope::cli {
namespace {

// Returns the choices in the description of a CLI::IsMember, such as {auto,always,never}.
std::vector<std::string> choices_in(const std::string& type) {
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}', begin);
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

// Returns the description of a range check (cli/number_checks.h). Empty for other checks.
std::string limits_in(const std::string& type) {
  const std::size_t begin = type.find(':');
  const std::string words = begin == std::string::npos ? "" : type.substr(begin + 1);
  const bool are_choices = words.find('{') != std::string::npos;
  return are_choices || words.find('[') != std::string::npos ? "" : words;
}

std::string value_in(const std::string& type) {
  const std::string own = type.substr(0, type.find(':'));
  const bool is_number = own == "INT" || own == "UINT" || own == "FLOAT";
  return is_number ? "N" : own;
}

// Returns the default of an option as text for users: "nccl*, nvshmem*" for "[nccl*,nvshmem*]".
// Returns "" if the default is empty.
std::string usual_of(const CLI::Option& option) {
  std::string usual = option.get_default_str();
  if (usual == "\"\"" || usual == "[]") return "";
  if (!usual.starts_with('[') || !usual.ends_with(']')) return usual;
  return CLI::detail::join(CLI::detail::split(usual.substr(1, usual.size() - 2), ','), ", ");
}

OptionText text_of(const CLI::Option& option) {
  OptionText text;
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  if (text.names.empty()) text.names.push_back(option.get_name(true));
  const std::string type = option.get_type_name();
  text.group = option.get_group();
  text.what = option.get_description();
  text.takes_value = option.get_items_expected_max() > 0;
  text.takes_file = type.starts_with("TEXT");
  if (text.takes_value) {
    text.choices = choices_in(type);
    text.limits = limits_in(type);
    text.value = value_in(type);
    text.usual = usual_of(option);
  }
  text.may_repeat = option.get_expected_max() > 1;
  return text;
}

}  // namespace

std::vector<OptionText> own_options_of(const CLI::App& command) {
  std::vector<OptionText> texts;
  for (const std::string& group : command.get_groups()) {
    if (group.empty()) continue;
    for (const CLI::Option* option : command.get_options()) {
      if (option->nonpositional() && option->get_group() == group) {
        texts.push_back(text_of(*option));
      }
    }
  }
  return texts;
}

std::vector<OptionText> options_of(const CLI::App& command) {
  std::vector<OptionText> texts = own_options_of(command);
  if (command.get_parent() == nullptr) return texts;
  for (OptionText& text : own_options_of(*command.get_parent())) {
    const bool is_about_program = text.names.back() == "--help" || text.names.back() == "--version";
    if (!is_about_program) texts.push_back(std::move(text));
  }
  return texts;
}

std::vector<OptionText> argument_texts_of(const CLI::App& command) {
  std::vector<OptionText> texts;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) texts.push_back(text_of(*option));
  }
  return texts;
}

std::vector<std::string> arguments_of(const CLI::App& command) {
  if (runs_program(command)) return {"PROGRAM", "[ARGUMENT...]"};
  std::vector<std::string> names;
  for (const OptionText& text : argument_texts_of(command)) {
    names.push_back(text.names.front() + (text.may_repeat ? "..." : ""));
  }
  return names;
}

bool runs_program(const CLI::App& command) { return command.get_name() == "record"; }

std::string escaped(std::string_view text, std::string_view signs) {
  std::string result;
  for (const char sign : text) {
    if (signs.find(sign) != std::string_view::npos) result += '\\';
    result += sign;
  }
  return result;
}

}  // namespace lapscope::cli
