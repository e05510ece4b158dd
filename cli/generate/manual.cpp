#include <fmt/format.h>

#include <sstream>

#include "cli/generate/generated.h"
#include "cli/option_text.h"

namespace lapscope::cli {
namespace {

// Returns a text with escapes for roff. Converts "-" to a minus sign, because a hyphen could not be
// pasted into a shell. Also escapes a line that begins like a roff request.
std::string roff(std::string_view text) {
  std::string result;
  for (const char sign : text) {
    if (sign == '\\') {
      result += "\\e";
    } else if (sign == '-') {
      result += "\\-";
    } else {
      result += sign;
    }
  }
  const bool is_request = result.starts_with('.') || result.starts_with('\'');
  return is_request ? "\\&" + result : result;
}

std::string capitals(std::string text) {
  for (char& sign : text) sign = static_cast<char>(std::toupper(static_cast<unsigned char>(sign)));
  return text;
}

void write_option_texts(const std::vector<OptionText>& options, std::ostream& out) {
  std::string group = "Options";
  for (const OptionText& option : options) {
    if (option.group != group) {
      group = option.group;
      out << fmt::format(".PP\n{}:\n", roff(group));
    }
    std::string names;
    for (const std::string& name : option.names) {
      names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    }
    if (!option.choices.empty()) {
      names += fmt::format(" {}", fmt::join(option.choices, "|"));
    } else if (option.takes_value) {
      names += " \\fI" + roff(option.value) + "\\fR";
    }
    out << fmt::format(".TP\n{}\n{}.", names, roff(option.what));
    if (!option.limits.empty()) out << fmt::format("\nLimits: {}.", roff(option.limits));
    if (!option.usual.empty()) out << fmt::format("\nDefault: {}.", roff(option.usual));
    out << "\n";
  }
}

// Writes examples and exit statuses. roff must keep the line breaks of this text.
void write_lines(const std::string& text, std::ostream& out) {
  if (text.empty()) return;
  out << ".PP\n.nf\n";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out << fmt::format("{}\n", roff(line));
  out << ".fi\n";
}

}  // namespace

void write_manual(const CLI::App& app, const std::string& version, std::ostream& out) {
  std::string what = app.get_description();
  if (what.ends_with('.')) what.pop_back();
  out << fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n", capitals(app.get_name()),
                     app.get_name(), version);
  out << fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", app.get_name(), roff(what));
  for (const CLI::App* command : app.get_subcommands({})) {
    out << fmt::format(".B {} {}\n[\\fIOPTION\\fR]...", app.get_name(), command->get_name());
    for (const std::string& argument : arguments_of(*command)) {
      out << fmt::format(" \\fI{}\\fR", roff(argument));
    }
    out << "\n.br\n";
  }
  out << ".SH OPTIONS\nEvery command takes these, too.\n";
  write_option_texts(own_options_of(app), out);
  write_lines(app.get_footer(), out);
  out << ".SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    out << fmt::format(".SS {}\n{}.\n", command->get_name(), roff(command->get_description()));
    write_option_texts(own_options_of(*command), out);
    write_lines(command->get_footer(), out);
  }
}

}  // namespace lapscope::cli
