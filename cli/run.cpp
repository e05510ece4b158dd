#include <malloc.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/output_options.h"
#include "reports/words/format.h"

namespace {

// `--baseline "$UNSET"` asks for something, and must not pass for nothing having been asked for.
void refuse_empty_values(CLI::App& app) {
  const auto is_empty = [](const std::string& value) {
    return std::string(value.empty() ? "its value is empty; leave the option out, or say what"
                                     : "");
  };
  for (CLI::App* command : app.get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_items_expected_max() > 0 && !option->get_positional()) {
        option->check(is_empty);
      }
    }
  }
}

}  // namespace

void lapscope::cli::say_line(std::string_view sentence) {
  std::cerr << "lapscope: " << reports::printable(sentence) << '\n';
}

void lapscope::cli::add_commands(CLI::App& app, const std::vector<std::string>& program) {
  add_record(app, program);
  add_analyze(app);
  add_report(app);
  add_doctor(app);
  add_gate(app);
  add_diff(app);
  add_summarize(app);
  add_whatif(app);
  refuse_empty_values(app);
}

int lapscope::cli::run(int argc, char** argv) {
  // Columns of a trace are large, and what is given back should be gone: by default the C library
  // keeps more and more of it after the first time.
  constexpr int mapped_from = 1 << 20;  // bytes
  ::mallopt(M_MMAP_THRESHOLD, mapped_from);
  Words words = usual_words(Words(argv + std::min(argc, 1), argv + argc));
  const bool records = !words.empty() && words.front() == "record";
  Words program;

  CLI::App app("Records CUDA programs and explains why their GPU work does not overlap.",
               "lapscope");
  app.set_version_flag("-V,--version", "lapscope " LAPSCOPE_VERSION);
  add_colour_option(app);
  app.require_subcommand(1);
  // A program may end with the same status.
  const std::string end = records ? "; the program was not run" : "";
  app.failure_message([&](const CLI::App*, const CLI::Error& error) {
    const std::string near = near_miss(app, words);
    const std::string help = records ? "record --help" : "--help";
    say(near.empty() ? error.what() : near, " (see lapscope ", help, ")", end);
    return std::string();
  });
  app.footer(
      "Example:\n  lapscope record -o t.sqlite ./app --its-options\n  lapscope analyze "
      "t.sqlite");
  add_commands(app, program);
  try {
    if (records) program = take_program(*app.get_subcommand("record"), words);
    app.parse(Words(words.rbegin(), words.rend()));
  } catch (const CLI::RuntimeError& ended) {
    return ended.get_exit_code();
  } catch (const CLI::ParseError& error) {
    // Also --help and --version, which exit with 0.
    return app.exit(error, std::cout, std::cerr) == 0 ? good : usage;
  } catch (const std::exception& error) {
    say(error.what());
    return unreadable;
  }
  return good;
}
