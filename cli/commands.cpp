#include <CLI/CLI.hpp>
#include <iostream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/output_options.h"
#include "reports/words/format.h"

namespace {

// Makes the parser refuse empty values of options. Without this, the parser would ignore
// `--baseline "$UNSET"` if UNSET is empty, and lapscope would not compare with any baseline.
void refuse_empty_values(CLI::App& app) {
  const auto is_empty = [](const std::string& value) {
    return std::string(value.empty() ? "its value is empty; give a value, or leave the option out"
                                     : "");
  };
  const auto is_nameless = [](const std::string& value) {
    return std::string(value.empty() ? "its name is empty; say which file" : "");
  };
  for (CLI::App* command : app.get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_items_expected_max() == 0) continue;
      if (option->get_positional()) {
        option->check(is_nameless);
      } else {
        option->check(is_empty);
      }
    }
  }
}

}  // namespace

void lapscope::cli::say_line(std::string_view sentence) {
  std::cerr << "lapscope: " << reports::printable(sentence) << '\n';
}

void lapscope::cli::exit_with(int status) {
  if (status != good) throw CLI::RuntimeError(status);
}

void lapscope::cli::flush_stdout() {
  if (std::cout.flush()) return;
  throw std::runtime_error("the result could not be written to standard output.");
}

void lapscope::cli::add_commands(CLI::App& app, const std::vector<std::string>& program) {
  app.name("lapscope");
  app.formatter(help_formatter());  // also formats the help of sub-commands added below
  app.description("Records CUDA programs and explains why their GPU work does not overlap.");
  app.set_version_flag("-V,--version", "lapscope " LAPSCOPE_VERSION, "Print the version");
  add_colour_option(app);
  app.add_flag_callback(
      "--no-config", [] {}, "Do not read the user's configuration file");
  app.require_subcommand(1);
  app.footer(
      "Example:\n  lapscope record -o t.sqlite ./app --its-options\n  lapscope analyze "
      "t.sqlite\nDefaults for options are in $XDG_CONFIG_HOME/lapscope/config.toml. If "
      "XDG_CONFIG_HOME is not set,\nthey are in ~/.config/lapscope/config.toml. gate never reads "
      "this file.");
  add_record(app, program);
  add_ctl(app);
  add_analyze(app);
  add_report(app);
  add_stats(app);
  add_query(app);
  add_rows(app);
  add_doctor(app);
  add_gate(app);
  add_diff(app);
  add_summarize(app);
  add_history(app);
  add_whatif(app);
  add_convert(app);
  add_symbolize(app);
  add_mcp(app);
  refuse_empty_values(app);
  group_options(app);
}
